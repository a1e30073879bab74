return scenario {
  about  = "A node leaves for good with jobs of its own queue unread; the others go on.",
  nodes  = { "a", "b", "c" },
  fanout = "per_node",
  tables = { money = { kind = "WAL", lane = "job", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.leave("c")
    s.put("a", gold, "one")
    s.settle()
    s.expect(s.applied("a", gold) ~= nil, "a has applied it")
    s.expect(s.applied("b", gold) ~= nil, "b has applied it")
  end,
}
