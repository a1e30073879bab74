-- Weak point 12; failure mode B9.
return scenario {
  about  = "A burst of messages meets a full ring: it refuses the newest and counts them, and nothing else marks those names: "
        .. "the node serves their old values for a whole ttl.",
  source = "elixir-lang/gen_stage#14, #311 (a bounded buffer throws away the latest, and never sends it again)",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0, ring_capacity = 1 } },
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
    s.expect(s.counters("b").ring_dropped == 1, "the second message found the ring full")
    s.resume(applier)
    s.advance("1s")
    s.expect(s.l1("b", ada) == nil, "the first is applied")
    s.expect(s.l1("b", ben).value == "old", "of the second b never hears")
  end,
  expect = { violates = "every_node_hears", also = { "rows_converge", "values_converge" } },
}
