-- The counterpart of hazards/fill_races_invalidation.lua: the same schedule with leases, which hold for L1 as well.
return scenario {
  about      = "Held with `fill_write = \"lease\"`: a flight that an invalidation overtook answers those who wait, and inserts "
            .. "nothing.",
  source     = "Nishtala et al., Scaling Memcache at Facebook, NSDI 2013 (leases)",
  nodes      = { "writer", "reader" },
  fill_write = "lease",
  tables     = { users = { kind = "USR", lane = "broadcast", ttl = "5s", jitter = 0 } },
  steps      = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    local flight = s.fetch("reader", ada, { stop_before = "l1.insert" })
    s.put("writer", ada, "new")
    s.settle()
    s.expect(s.resume(flight).value == "old", "who asked before the write gets what was loaded then")
    s.expect(s.l1("reader", ada) == nil, "it is not inserted")
    s.expect(s.l2(ada).value == "new", "L2 holds the new row")
    s.expect(s.fetch("reader", ada).value == "new", "and the next read finds it")
  end,
  check = { "fills_respect_invalidations", "values_converge", "rows_converge" },
}
