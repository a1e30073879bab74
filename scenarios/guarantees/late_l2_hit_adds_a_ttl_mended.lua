-- The counterpart of hazards/late_l2_hit_adds_a_ttl.lua: the same schedule under the bound that today's design keeps. No
-- setting gives a tighter one yet: a hit that took over what the L2 row has left (PTTL beside GET) would.
return scenario {
  about  = "Held where a row may be read for twice the ttl, once in L2 and once in L1: that is the bound for a value superseded"
        .. " unheard. Half the ttl gives half of it.",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "none", ttl = "5s", jitter = 0 } },
  staleness_bound = "10s",
  steps  = function(s)
    local ada = s.name("users", 1)
    s.put("writer", ada, "old")                -- lives in L2 for 5 s
    s.commit(ada, "new")                       -- written past the caches: nobody hears
    s.advance("4900ms")
    s.expect(s.fetch("reader", ada).outcome == "l2_hit", "the row in L2 is about to expire")
    s.advance("4900ms")
    s.expect(s.fetch("reader", ada).value == "old", "the reader still serves it")
    s.advance("200ms")
    s.expect(s.fetch("reader", ada).value == "new", "and 10 s after the write nobody does")
  end,
  check = { "staleness_bounded", "reads_are_monotonic", "rows_converge", "values_converge" },
}
