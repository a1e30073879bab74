return scenario {
  about  = "An invalidation that arrives after a newer write erases neither the L2 row nor the L1 row.",
  source = "newer wins: the conditional drop, \"a late message vs a newer message\"",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.hold { to = "b" }
    s.put("a", ada, "old")                     -- its message to b is on its way for a long time
    s.advance("1s")
    s.put("b", ada, "new")
    s.advance("1s")
    s.release { to = "b" }                     -- the old one arrives now
    s.advance("1s")
    s.expect(s.l2(ada).value == "new", "L2 keeps the newer row")
    s.expect(s.l1("b", ada).value == "new", "L1 of b keeps the newer row")
    s.expect(s.l1("a", ada) == nil, "a has heard of the newer write")
  end,
}
