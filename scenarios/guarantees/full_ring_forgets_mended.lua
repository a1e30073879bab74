-- The counterpart of hazards/full_ring_forgets.lua: the same schedule with a ring as large as the burst. A burst larger than
-- the ring is lost in part with any capacity; the job lane is for names where that must not be.
return scenario {
  about  = "Held with a `ring_capacity` of the largest burst (the default is 4096): nothing is refused, and the slow applier "
        .. "catches up.",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0, ring_capacity = 2 } },
  steps  = function(s)
    local ada, ben = s.name("users", 1), s.name("users", 2)
    s.commit(ada, "old")
    s.commit(ben, "old")
    s.fetch("b", ada)
    s.fetch("b", ben)
    s.advance("5ms")
    local applier = s.stop_next("b", "ring.apply")  -- b's applier is slow
    s.put("a", ada, "new")
    s.put("a", ben, "new")
    s.advance("1s")
    s.expect(s.counters("b").ring_dropped == 0, "both messages wait in the ring")
    s.resume(applier)
    s.advance("1s")
    s.expect(s.l1("b", ada) == nil, "the first is applied")
    s.expect(s.l1("b", ben) == nil, "and so is the second")
  end,
  check = { "every_node_hears", "rows_converge", "values_converge" },
}
