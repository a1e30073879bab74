return scenario {
  about   = "SQLite's files lose the newest of what was not synced, and torn pages stay: what recovers is a prefix.",
  nodes   = { "a", "b" },
  journal = "sqlite",
  tables  = { money = { kind = "WAL", lane = "job", ttl = "5s", names = 2 } },
  workload = { operations = 120, over = "60s", mix = { put = 6, fetch = 4, replay = 1, compact = 1 } },
  faults = {
    nodes = { crash = 0.1, power_loss = 1, down = { "10ms", "2s" } },
    disks = { torn = 0.5 },
    connections = { reset = 0.02 },
  },
}
