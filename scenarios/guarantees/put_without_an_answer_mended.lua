-- The counterpart of hazards/put_without_an_answer.lua: the same schedule, and the caller writes again. No setting of the
-- design mends the hazard yet: an intent recorded before the SET would.
return scenario {
  about  = "Held where the caller of a failed write repeats it until it ends well: the second one announces a version above the"
        .. " first, and does no harm if the first has happened.",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    s.fetch("b", ada)
    s.advance("5ms")
    s.partition("valkey", "a", { one_way = true })
    s.expect(s.put("a", ada, "new").outcome == "failed", "the caller is told that it failed")
    s.heal()
    s.advance("1s")
    s.expect(s.put("a", ada, "new, once more").outcome == "ok", "and writes again")
    s.advance("1s")
    s.expect(s.l1("b", ada) == nil, "b has heard of it")
    s.expect(s.fetch("b", ada).value == "new, once more", "and reads the new value")
  end,
  check = { "values_converge", "rows_converge" },
}
