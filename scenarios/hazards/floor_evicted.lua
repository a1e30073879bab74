-- Failure mode D9.
return scenario {
  about      = "The server evicts a floor for want of memory: the old row passes, as if there had been no drop.",
  source     = "taskforcesh/bullmq#1046, #2215 (a memory policy takes what has a ttl: locks, fences)",
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
    s.advance("1s")
    s.evict((s.key(ada):gsub("^ecc:", "ecc.floor:")))
    s.resume(flight)
    s.expect(s.l2(ada).value == "old", "the fill passes where the floor was")
  end,
  expect     = { violates = "fills_respect_invalidations", also = { "rows_converge", "values_converge" } },
}
