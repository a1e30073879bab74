-- The counterparts of hazards/drop_of_absent_row.lua: the same schedule where the drop leaves a floor, and where the fill
-- needs a lease that the drop has ended.
local function with(name, about, fill_write, after_drop)
  return scenario {
    name       = name,
    about      = about,
    nodes      = { "writer", "reader" },
    fill_write = fill_write,
    after_drop = after_drop,
    tables     = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
    steps      = function(s)
      local ada = s.name("users", 1)
      s.commit(ada, "old")
      local flight = s.fetch("reader", ada, { stop_before = "flight.set" })
      local write = s.write("writer", ada, "new")
      write.mint()
      write.commit()
      write.announce()
      s.advance("1s")
      s.resume(flight)
      s.expect(s.l2(ada) == nil, "the fill is refused, though there is no row to compare with")
      s.expect(s.l1("reader", ada) == nil, "and enters no L1")
      s.expect(s.fetch("reader", ada).value == "new", "the next read loads the new value")
    end,
    check = { "fills_respect_invalidations", "rows_converge", "values_converge" },
  }
end

return {
  with("drop_of_absent_row_leaves_floor",
       "Held with `fill_write = \"newer_only\"` and `after_drop = \"floor\"`: the drop of an absent row leaves a floor, below which "
       .. "no fill goes.", "newer_only", "floor"),
  with("drop_of_absent_row_ends_lease",
       "Held with `fill_write = \"lease\"`: the drop of an absent row ends the lease, without which no fill is written.",
       "lease", "nothing"),
}
