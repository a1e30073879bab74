return scenario {
  about  = "A node cut off from the server misses messages and times out; after the cut the guarantees stand.",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "5s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.put("b", ada, "old")
    s.settle()
    s.partition("b", "valkey")
    s.put("a", ada, "new")                     -- b does not hear
    s.advance("3s")
    s.expect(s.l1("b", ada).value == "old", "b serves its row until it expires")
    local other = s.name("users", 2)
    s.expect(s.fetch("b", other).outcome == "failed", "what b asks of the server times out")
    s.heal()
    s.advance("5s")
    s.expect(s.fetch("b", ada).value == "new", "then it reads the newer one")
  end,
}
