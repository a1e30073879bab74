return scenario {
  about   = "The journal in SQLite itself: nodes die at every await and inside commits, and nothing acknowledged is lost.",
  nodes   = { "a", "b" },
  journal = "sqlite",
  tables  = { money = { kind = "WAL", lane = "job", ttl = "5s", names = 2 } },
  workload = { operations = 120, over = "60s", mix = { put = 6, fetch = 4, replay = 1, compact = 1 } },
  faults = { nodes = { crash = 0.2, down = { "10ms", "2s" } }, connections = { reset = 0.02 } },
}
