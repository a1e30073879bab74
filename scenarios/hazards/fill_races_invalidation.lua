-- Weak point 2; failure mode A1.
return scenario {
  about  = "A read that began before a write puts the old row back after the invalidation went by.",
  source = "Nishtala et al., Scaling Memcache at Facebook, NSDI 2013 (stale sets)",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "5s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")                                             -- source of truth only
    local flight = s.fetch("reader", ada, { stop_before = "l1.insert" })
    s.put("writer", ada, "new")
    s.settle()                                                       -- the invalidation arrives, finds no row
    s.resume(flight)
    s.expect(s.l1("reader", ada).value == "old", "the reader keeps the old value")
  end,
  expect = { violates = "fills_respect_invalidations", also = { "values_converge", "rows_converge" } },
}
