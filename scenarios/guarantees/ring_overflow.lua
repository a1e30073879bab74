return scenario {
  about  = "A full ring refuses and counts; what it holds is applied in order, and nothing is overwritten.",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0, names = 4, ring_capacity = 2 } },
  steps  = function(s)
    for n = 1, 4 do s.put("b", s.name("users", n), "old") end
    s.settle()
    local applier = s.stop_next("b", "ring.apply")
    for n = 1, 4 do s.put("a", s.name("users", n), "new") end
    s.advance("1s")
    s.expect(s.counters("b").ring_dropped == 2, "two of four were refused")
    s.resume(applier)
    s.settle()
    s.expect(s.l1("b", s.name("users", 1)) == nil, "the first was applied")
    s.expect(s.l1("b", s.name("users", 4)).value == "old", "the last was not")
  end,
}
