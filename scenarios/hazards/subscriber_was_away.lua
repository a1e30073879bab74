-- Weak point 12; failure mode B1.
return scenario {
  about  = "A message is published while a subscriber reconnects: it reaches nobody there. The subscriber comes back, keeps its"
        .. " L1 as if nothing had happened, and serves the old value for a whole ttl.",
  source = "redis/redis#3559 (published while nobody listens is gone); dotnetcore/EasyCaching#428 (flush upon reconnecting)",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    s.fetch("b", ada)
    s.partition("b", "valkey")
    s.valkey_restart { keep = true }           -- every connection breaks; b's cannot come up yet
    s.advance("1s")                            -- a's is up, and has subscribed again
    s.put("a", ada, "new")                     -- b is no subscriber now
    s.heal()
    s.advance("1s")                            -- b has subscribed again
    s.expect(s.l1("b", ada).value == "old", "b does not know what it missed")
  end,
  expect = { violates = "every_node_hears", also = { "rows_converge", "values_converge" } },
}
