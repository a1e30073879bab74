return scenario {
  about  = "The shared queue wakes one consumer: the other node's L1 row stays, for a whole ttl.",
  nodes  = { "a", "b", "c" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.put("a", gold, "old")
    s.settle()
    s.fetch("b", gold)
    s.fetch("c", gold)
    s.put("a", gold, "new")
    s.settle()
  end,
  expect = { violates = "rows_converge", also = { "values_converge", "every_node_hears" } },
}
