-- The counterpart of hazards/reads_go_back.lua: the same schedule with a fill that compares and sets in one step.
return scenario {
  about  = "Held with `fill_write = \"newer_only\"`: the slow fill is refused, and the reader's next read finds nothing older.",
  nodes  = { "writer", "slow", "reader" },
  fill_write = "newer_only",
  tables = { users = { kind = "USR", lane = "none", ttl = "5s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    local flight = s.fetch("slow", ada, { stop_before = "flight.set" })  -- it has loaded "old"
    s.put("writer", ada, "new")
    s.expect(s.fetch("reader", ada).value == "new", "the reader sees the write")
    s.advance("1s")
    s.resume(flight)                                                     -- refused
    s.advance("4500ms")                                                  -- the reader's row has expired
    s.expect(s.fetch("reader", ada).value == "new", "and sees it again")
  end,
  check = { "reads_are_monotonic", "l2_never_goes_back", "rows_converge", "values_converge" },
}
