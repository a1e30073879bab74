-- The counterpart of hazards/replica_reads_go_back.lua: the same schedule with reads from the primary.
return scenario {
  about  = "Reads of rows go to the primary: what a full L1 cannot keep is read again as it was.",
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
    s.expect(s.fetch("reader", ada).value == "new", "and answers again")
  end,
  check = { "reads_are_monotonic", "values_converge" },
}
