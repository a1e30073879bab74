return scenario {
  about  = "A failover loses an acknowledged job: the journal holds its intent, marked as enqueued or not, and replay brings the "
        .. "job again. No setting is needed: this is what the outbox is for.",
  source = "sidekiq/sidekiq#3811",
  nodes  = { "a", "b" },
  fanout = "per_node",
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.commit(gold, "old")
    s.fetch("b", gold)
    s.partition("b", "valkey")                  -- b does not come to its job
    s.put("a", gold, "new")                     -- SET, then a job for a and one for b
    s.failover { lose = 2 }                     -- both jobs are lost (where a has handled its own: that, and b's is left)
    s.heal()
    s.advance("5s")
    s.settle()                                  -- replays
    s.expect(s.l1("b", gold) == nil, "b has heard of it")
    s.expect(s.applied("b", gold) == s.truth(gold).version, "and remembers")
  end,
  check = { "every_node_hears", "dedup_is_sound" },
}
