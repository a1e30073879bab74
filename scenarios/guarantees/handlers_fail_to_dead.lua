return scenario {
  about  = "Handlers that fail again and again: jobs are retried, then dead-lettered and counted, never silently lost.",
  nodes  = { "a", "b" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "5s", names = 2 } },
  workload = { operations = 80, over = "40s", mix = { put = 6, fetch = 4, message = 2, replay = 1, compact = 1 } },
  faults = { handlers = { fail = 0.5 }, nodes = { crash = 0.02, down = { "10ms", "1s" } } },
}
