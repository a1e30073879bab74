-- The counterpart of hazards/fill_labelled_too_new.lua: the same schedule, and the fill carries the version that the source
-- of truth holds beside the value.
return scenario {
  about        = "Held with `fill_version = \"source\"`: a fill under the version of the write that it loaded gives way to the "
              .. "message of the next.",
  nodes        = { "writer", "reader" },
  fill_version = "source",
  tables       = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps        = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    s.advance("2ms")
    local write = s.write("writer", ada, "new")
    write.mint()
    local flight = s.fetch("reader", ada, { stop_before = "flight.set" })  -- begun after the mint; it has loaded "old"
    write.commit()
    s.resume(flight)
    write.table_put()
    write.announce()
    s.settle()
    s.expect(s.l1("reader", ada) == nil, "the message removed the old row")
    s.expect(s.fetch("reader", ada).value == "new", "the next read finds the new value")
  end,
  check = { "frames_are_authentic", "rows_converge", "values_converge" },
}
