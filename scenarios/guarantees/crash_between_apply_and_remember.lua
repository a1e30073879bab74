return scenario {
  about  = "A crash after a message was applied and before it was remembered: it comes again, and does no harm.",
  nodes  = { "a" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.put("a", gold, "one")
    local handler = s.stop_next("a", "journal.remember")
    s.advance("2s")                            -- the consumer claims the job and applies it
    s.crash("a", "process")
    s.restart("a")
    s.expect(s.applied("a", gold) == nil, "nothing is remembered")
    s.put("a", gold, "two")
    s.settle()                                 -- the lease of the dead consumer ends, the job comes again
    s.expect(s.applied("a", gold) ~= nil, "in the end it is")
    s.expect(s.l2(gold).value == "two", "and the newer row stands")
  end,
}
