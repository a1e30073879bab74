-- The counterpart of hazards/full_server_leaves_no_floor.lua: the same schedule on a server that has memory.
return scenario {
  about      = "A drop on a server with memory leaves its floor, and the fill that began earlier is refused.",
  nodes      = { "writer", "reader" },
  fill_write = "newer_only",
  after_drop = "floor",
  tables     = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps      = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    local flight = s.fetch("reader", ada, { stop_before = "flight.set" })  -- it has loaded "old", and takes its time
    local write = s.write("writer", ada, "new")
    write.mint()
    write.commit()
    write.announce()
    s.advance("3s")
    s.resume(flight)
    s.expect(s.l2(ada) == nil, "the floor refuses the fill")
  end,
  check      = { "fills_respect_invalidations", "rows_converge", "values_converge" },
}
