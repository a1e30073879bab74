-- Failure mode D3.
return scenario {
  about  = "A node reads the new value, which its full L1 cannot keep, and the next time a replica answers that lags: the old value "
        .. "again.",
  source = "redis/redis#187, #3127, #3198; dragonflydb/dragonfly#6984 (reads from replicas)",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "5s", jitter = 0, max_size = 1 } },
  steps  = function(s)
    local ada, bob = s.name("users", 1), s.name("users", 2)
    s.commit(bob, "b")
    s.fetch("reader", bob)                      -- its L1 has room for no other row
    s.put("writer", ada, "old")
    s.advance("1s")
    s.put("writer", ada, "new")
    s.advance("100ms")                          -- the reader has heard of it
    s.expect(s.fetch("reader", ada).value == "new", "the primary answers")
    s.advance("100ms")
    s.replica_lag("500ms")                      -- from here on a replica answers reads
    s.expect(s.fetch("reader", ada).value == "old", "the replica answers")
  end,
  expect = { violates = "reads_are_monotonic", also = { "values_converge" } },
}
