-- The counterpart of hazards/old_flight_is_joined.lua: the same schedule with leases, where the flight has ended before the
-- node reads again. While it is under way, no setting mends the hazard yet: a lease keeps what it loaded out of L1, and not
-- from callers that join. A node would have to begin a flight of its own for whoever comes after the invalidation.
return scenario {
  about  = "Held with `fill_write = \"lease\"` where the flight ends before the next read: overtaken, it inserts nothing, and "
        .. "the read has a flight of its own.",
  nodes  = { "a" },
  fill_write = "lease",
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "5s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    local flight = s.fetch("a", ada, { stop_before = "l1.insert" })  -- it has loaded "old"
    s.put("a", ada, "new")                                           -- done: stored, inserted and announced
    s.advance("6s")                                                  -- both rows have expired
    s.expect(s.resume(flight).value == "old", "who asked before the write gets what was loaded then")
    s.expect(s.l1("a", ada) == nil, "it is not inserted")
    s.expect(s.fetch("a", ada).value == "new", "who asks afterwards gets the write")
  end,
  check = { "read_your_writes", "fills_respect_invalidations", "rows_converge", "values_converge" },
}
