-- The counterpart of hazards/poison_delays_others.lua: the same schedule where handlers are quick to fail.
return scenario {
  about  = "Held where handlers are quick: a poison job that fails at once is retried, then dead, and holds nobody up.",
  nodes  = { "a" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 2)
    s.message { table = "money", bytes = "no message at all" }
    s.put("a", gold, "one")                    -- its job stands behind the poison
    s.advance("60s")
    local job = s.jobs()[1]
    s.expect(job and job.state == "dead" and #s.jobs() == 1, "the poison is dead, the other job done")
  end,
  check = { "nothing_is_stuck" },
}
