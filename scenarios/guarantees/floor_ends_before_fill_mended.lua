-- The counterpart of hazards/floor_ends_before_fill.lua: the same schedule with leases. What is lost refuses the fill.
return scenario {
  about      = "Held with `fill_write = \"lease\"`: a lease that is gone, for whatever reason, refuses the fill: unlike a "
            .. "floor, it fails to the safe side.",
  nodes      = { "writer", "reader" },
  fill_write = "lease",
  tables     = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps      = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    local flight = s.fetch("reader", ada, { stop_before = "flight.set" })  -- it has loaded "old", and takes its time
    local write = s.write("writer", ada, "new")
    write.mint()
    write.commit()
    write.announce()
    s.advance("1s")
    s.advance("11s")                                                       -- the lease is gone too
    s.resume(flight)
    s.expect(s.l2(ada) == nil, "the fill is refused")
    s.expect(s.l1("reader", ada) == nil, "and enters no L1")
    s.expect(s.fetch("reader", ada).value == "new", "the next read loads the new value")
  end,
  check = { "fills_respect_invalidations", "rows_converge", "values_converge" },
}
