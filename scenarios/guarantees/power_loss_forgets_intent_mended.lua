-- The counterpart of hazards/power_loss_forgets_intent.lua: the same schedule where the process dies, and the power stays.
-- A power loss spares what a checkpoint has synced (synced_intents_survive.lua); a sync with every commit would spare all.
return scenario {
  about  = "Held where only the process crashes: what is recorded is there again, the restarted node replays it, and the reader"
        .. " hears.",
  nodes  = { "a", "b" },
  fanout = "per_node",
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.commit(gold, "write 0")
    s.settle()
    s.fetch("b", gold)
    s.advance("5ms")
    s.put("a", gold, "write 1", { stop_before = "journal.enqueue" })
    s.crash("a", "process")
    s.restart("a")
    s.expect(#s.intents("a", "money") == 2, "one intent for each node's queue")
    s.settle()
    s.expect(s.l1("b", gold) == nil, "b has heard of the write")
  end,
  check = { "every_node_hears", "rows_converge", "values_converge" },
}
