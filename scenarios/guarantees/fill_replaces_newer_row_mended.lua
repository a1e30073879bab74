-- The counterpart of hazards/fill_replaces_newer_row.lua: the same schedule with a fill that compares and sets in one step.
return scenario {
  about      = "Held with `fill_write = \"newer_only\"`: a fill that finds a newer row is refused, and the row that stands is "
            .. "what it answers and keeps.",
  nodes      = { "writer", "reader" },
  fill_write = "newer_only",
  tables     = { users = { kind = "USR", lane = "none", ttl = "5s", jitter = 0 } },
  steps      = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    local flight = s.fetch("reader", ada, { stop_before = "flight.set" })
    s.put("writer", ada, "new")
    local fetched = s.resume(flight)
    s.expect(s.l2(ada).value == "new", "L2 keeps the newer row")
    s.expect(fetched.value == "new", "the reader gets what stands")
    s.expect(s.l1("reader", ada).value == "new", "and what was refused enters no layer")
  end,
  check = { "l2_never_goes_back", "rows_converge", "values_converge" },
}
