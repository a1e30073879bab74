-- The counterpart of hazards/half_open_subscriber.lua: the same schedule on the job lane. A claim whose answer is swallowed
-- ends with its lease, and the job comes again.
return scenario {
  about  = "Held on the job lane (`lane = \"job\"`) with `fanout = \"per_node\"`: what a node does not complete comes again "
        .. "after its lease.",
  nodes  = { "a", "b" },
  fanout = "per_node",
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.commit(gold, "old")
    s.fetch("b", gold)
    s.partition("valkey", "b", { one_way = true })
    s.put("a", gold, "new")
    s.advance("3s")                            -- b's claim may run, and its answer is swallowed
    s.expect(s.l1("b", gold).value == "old", "b has not heard yet")
    s.heal()
    s.advance("40s")                           -- a lease, and some beats
    s.expect(s.l1("b", gold) == nil, "the job has come again")
  end,
  check = { "every_node_hears", "rows_converge", "values_converge" },
}
