return scenario {
  about    = "Generators that keep a mark, and claims fenced by a number used once: nothing is handed out twice.",
  nodes    = { "a", "b", "c" },
  mint     = "persisted",
  token    = "unique",
  tables   = { money = { kind = "WAL", lane = "job", ttl = "2s", names = 2 } },
  workload = { operations = 120, over = "60s", mix = { put = 6, fetch = 4, replay = 4, compact = 1 } },
  faults   = {
    messages = { duplicate = 0.1, delay = { "1ms", "40s" } },
    nodes    = { crash = 0.05, power_loss = 0.5, down = { "10ms", "3s" } },
    clocks   = { step = 0.1 },
    valkey   = { restart = 0.002 },
    handlers = { fail = 0.1, latency = { "0ms", "40s" } },
  },
  check    = { "versions_are_unique", "token_is_one_claim" },
}
