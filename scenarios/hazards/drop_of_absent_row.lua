-- Weak point 15; failure mode A6.
return scenario {
  about  = "A drop that finds no row leaves nothing behind: a fill that began earlier writes the older row afterwards.",
  source = "hmchangw/newchat#250; lakekeeper/lakekeeper#1843 (a delete of what is not there is forgotten)",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    local flight = s.fetch("reader", ada, { stop_before = "flight.set" })  -- it has loaded "old"
    local write = s.write("writer", ada, "new")
    write.mint()
    write.commit()
    write.announce()                                                       -- L2 has no row: the drop answers 0
    s.advance("1s")
    s.resume(flight)
    s.expect(s.l2(ada).value == "old", "the fill comes after the invalidation, and stays")
  end,
  expect = { violates = "fills_respect_invalidations", also = { "rows_converge", "values_converge" } },
}
