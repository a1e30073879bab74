-- The counterpart of hazards/subscriber_was_away.lua: the same schedule on the job lane, where a message waits for its node.
return scenario {
  about  = "Held on the job lane (`lane = \"job\"`) with `fanout = \"per_node\"`: the message waits in the node's own queue "
        .. "until it is back.",
  nodes  = { "a", "b" },
  fanout = "per_node",
  tables = { money = { kind = "WAL", lane = "job", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.commit(gold, "old")
    s.fetch("b", gold)
    s.partition("b", "valkey")
    s.valkey_restart { keep = true }           -- every connection breaks; b's cannot come up yet
    s.advance("1s")                            -- a's is up again
    s.put("a", gold, "new")                    -- b claims nothing now
    s.expect(s.l1("b", gold).value == "old", "b has not heard yet")
    s.heal()
    s.advance("3s")                            -- b is connected, and its beat has been
    s.expect(s.l1("b", gold) == nil, "now it has")
  end,
  check = { "every_node_hears", "rows_converge", "values_converge" },
}
