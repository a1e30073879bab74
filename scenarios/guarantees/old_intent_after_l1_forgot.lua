return scenario {
  about  = "An old intent replayed after L1 forgot the row answers stale from the journal, and touches nothing.",
  source = "newer wins: \"a replayed old intent answers stale from the journal even when L1 has forgotten the row\"",
  nodes  = { "a" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "2s", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    local old = s.mint("a")
    s.put("a", gold, "new")
    s.settle()                                 -- applied and remembered
    s.advance("10s")
    s.expect(s.l1("a", gold) == nil, "L1 has forgotten the row")
    s.intend("a", gold, old)                   -- an intent that was late for all this time
    local before = s.counters("a").coh_stale
    s.settle()
    s.expect(s.counters("a").coh_stale == before, "the table was not even asked")
    s.expect(s.applied("a", gold) > old, "the memory stands")
  end,
}
