-- Failure mode B8, where the design is right: equal is not newer.
return scenario {
  about  = "A writer hears its own message: the row that it has just stored is as new, and stays in both layers.",
  source = "tapdata/tapdata#3146 (an echo that evicts what the writer has just stored)",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.hold { to = "a" }
    s.put("a", ada, "mine")
    s.duplicate { to = "a" }
    s.advance("1s")
    s.release { to = "a" }                     -- the echo, twice, and late
    s.advance("1s")
    s.expect(s.counters("a").coh_stale == 2, "a has heard it twice, and found nothing to do")
    s.expect(s.l1("a", ada).value == "mine" and s.l2(ada).value == "mine", "both rows stand")
    s.expect(s.fetch("a", ada).outcome == "hit", "the next read costs nothing")
    s.expect(s.counters("a").fills == 0, "and no load was needed")
  end,
  check = { "read_your_writes", "rows_converge", "values_converge" },
}
