-- The counterpart of hazards/remembered_row_comes_back.lua: the same schedule with leases.
return scenario {
  about      = "Held with `fill_write = \"lease\"`: a flight that a job's message overtook inserts nothing: what is remembered "
            .. "stays gone.",
  nodes      = { "writer", "reader" },
  fanout     = "per_node",
  fill_write = "lease",
  tables     = { money = { kind = "WAL", lane = "job", ttl = "60s", jitter = 0 } },
  steps      = function(s)
    local gold = s.name("money", 1)
    s.commit(gold, "old")
    local flight = s.fetch("reader", gold, { stop_before = "l1.insert" })
    s.put("writer", gold, "new")
    s.settle()                                                       -- the reader's journal applies the message, remembers it
    s.resume(flight)
    s.message { table = "money", name = gold, version = s.applied("reader", gold), to = "reader" }
    s.settle()                                                       -- once more: remembered
    s.expect(s.l1("reader", gold) == nil, "nothing old was inserted")
    s.expect(s.fetch("reader", gold).value == "new", "the next read finds the new value")
  end,
  check = { "remembered_rows_stay_gone", "fills_respect_invalidations", "values_converge", "rows_converge" },
}
