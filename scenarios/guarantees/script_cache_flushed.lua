-- Failure mode D4, where the design is right: a call that met no script counts when it has run.
return scenario {
  about  = "The script cache is flushed in mid-run: NOSCRIPT is answered by loading the script once, and the call counts.",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    for round = 1, 3 do
      s.put("a", ada, "round " .. round)
      s.settle()
      s.expect(s.l1("b", ada) == nil, "b has dropped its row in round " .. round)
      s.fetch("b", ada)
      s.flush_scripts()
    end
  end,
}
