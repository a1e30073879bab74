-- Weak point 11; failure mode D1.
return scenario {
  about  = "A put is acknowledged and announced; a failover loses it: the row in L2 is the older one again, and no message is "
        .. "owed any more.",
  source = "Jepsen: Redis, 2013 (aphyr.com/posts/283: 56 % of acknowledged writes lost in that test)",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "5s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.put("writer", ada, "old")
    s.put("writer", ada, "new")
    s.advance("100ms")                          -- the reader has heard of both
    s.failover { lose = 1 }                     -- the replica that takes over never got the second SET
    s.expect(s.l2(ada).value == "old", "L2 went back")
    s.advance("1s")                             -- connected again
    s.fetch("reader", ada)
    s.expect(s.l1("reader", ada).value == "old", "the reader takes the old value, with a whole ttl")
  end,
  expect = { violates = "l2_never_goes_back", also = { "values_converge", "rows_converge" } },
}
