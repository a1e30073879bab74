return scenario {
  about  = "Nodes lose power: the newest commits of a journal may go, always a suffix, and what stands is true.",
  nodes  = { "a", "b" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "5s", names = 2 } },
  workload = { operations = 120, over = "60s", mix = { put = 6, fetch = 4, replay = 1, compact = 1 } },
  faults = {
    nodes = { crash = 0.1, power_loss = 1, down = { "10ms", "2s" } },
    connections = { reset = 0.02 },
  },
}
