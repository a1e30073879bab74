-- Failure mode A5.
return scenario {
  about      = "A floor lives ten seconds, the fill takes longer: a floor that is gone reads as none, and the old row passes.",
  source     = "tigrisdata/tag#65, tag#217 (a tombstone of 60 s, writes of minutes); gc_grace of Cassandra",
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
    s.advance("11s")                                                       -- the floor is gone
    s.resume(flight)
    s.expect(s.l2(ada).value == "old", "the fill passes where the floor was")
  end,
  expect     = { violates = "fills_respect_invalidations", also = { "rows_converge", "values_converge" } },
}
