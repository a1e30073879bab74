return scenario {
  about  = "The same message delivered three times drops once; afterwards it finds no row, or one that is as new.",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.put("b", ada, "first")
    s.settle()
    s.hold { to = "b" }
    s.put("a", ada, "second")
    s.duplicate { to = "b" }
    s.duplicate { to = "b" }
    s.release { to = "b" }
    s.settle()
    s.expect(s.counters("b").coh_applied == 1, "b dropped its row once")
    s.expect(s.counters("b").coh_stale == 4, "and found nothing to do otherwise: its own message, and three copies")
    s.expect(s.l2(ada).value == "second", "L2 holds the second write")
  end,
}
