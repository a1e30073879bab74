-- The counterpart of hazards/failover_forgets_a_put.lua: the same schedule with a failover that loses nothing.
return scenario {
  about  = "A failover to a replica that has every acknowledged write: the newer row stands.",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "5s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.put("writer", ada, "old")
    s.put("writer", ada, "new")
    s.advance("100ms")                          -- the reader has heard of both
    s.failover { lose = 0 }
    s.expect(s.l2(ada).value == "new", "L2 kept what was acknowledged")
    s.advance("1s")                             -- connected again
    s.fetch("reader", ada)
    s.expect(s.l1("reader", ada).value == "new", "and the reader takes it")
  end,
  check = { "l2_never_goes_back", "values_converge", "rows_converge" },
}
