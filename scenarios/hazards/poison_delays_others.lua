-- Failure mode F13.
return scenario {
  about  = "A poison job fails slowly, three times: the consumer waits for its handler, and so do all other names of the queue.",
  source = "MarcosRabadan/Agendia#260; watt-mind/factory#1496 (what always fails holds up what stands behind it)",
  nodes  = { "a" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  faults = { handlers = { latency = { "10s", "10s" } } },
  steps  = function(s)
    local gold = s.name("money", 2)
    s.message { table = "money", bytes = "no message at all" }
    s.put("a", gold, "one")                    -- its job stands behind the poison
    s.advance("60s")
    local job = s.jobs()[1]
    s.expect(job and job.state == "dead" and #s.jobs() == 1, "the poison is dead, the other job done")
  end,
  expect = { violates = "nothing_is_stuck" },
}
