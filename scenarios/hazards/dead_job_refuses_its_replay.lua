-- Weak point 8; failure mode E5.
return scenario {
  about  = "A job is dead, its row stays: once the cause is mended, every replay of its intent is answered duplicate, and the "
        .. "message never runs.",
  source = "oban-bg/oban#337, #295; taskforcesh/bullmq#1337, #941; OptimalBits/bull#855",
  nodes  = { "a", "b" },
  fanout = "per_node",
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  faults = { handlers = { fail = 1 } },        -- until the settle
  steps  = function(s)
    local gold = s.name("money", 1)
    s.commit(gold, "old")
    s.fetch("b", gold)
    s.put("a", gold, "new")
    s.advance("20s")                           -- three attempts
    local job = s.jobs()[1]
    s.expect(job and job.state == "dead", "its attempts are used up")
    s.settle()                                 -- handlers are well again, and every journal replays
    local row = s.l1("b", gold)
    s.expect(row and row.value == "old", "but the message never runs")
  end,
  expect = { violates = "dedup_is_sound" },
}
