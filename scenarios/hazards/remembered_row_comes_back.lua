-- Weak point 9.
return scenario {
  about  = "A journal remembers a version while a flight inserts an older row: every redelivery is answered remembered_stale, "
        .. "and the row stays.",
  source = "the design's own weak point: the memory stands for a removal that something undid",
  nodes  = { "writer", "reader" },
  fanout = "per_node",
  tables = { money = { kind = "WAL", lane = "job", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.commit(gold, "old")
    local flight = s.fetch("reader", gold, { stop_before = "l1.insert" })
    s.put("writer", gold, "new")
    s.settle()                                                       -- the reader's journal applies the message, remembers it
    s.resume(flight)
    s.message { table = "money", name = gold, version = s.applied("reader", gold), to = "reader" }
    s.settle()                                                       -- once more: remembered
    s.expect(s.l1("reader", gold).value == "old", "the redelivered message does not remove the old row")
  end,
  expect = {
    violates = "remembered_rows_stay_gone",
    also = { "fills_respect_invalidations", "values_converge", "rows_converge" },
  },
}
