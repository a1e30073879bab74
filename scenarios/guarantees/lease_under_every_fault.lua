return scenario {
  about      = "With leases no fill follows an invalidation that it began before, whatever fails but a clock.",
  nodes      = { "a", "b", "c" },
  fill_write = "lease",
  tables     = {
    users = { kind = "USR", lane = "broadcast", ttl = "2s", names = 2 },
    money = { kind = "WAL", lane = "job", ttl = "2s", names = 1 },
  },
  loader     = { latency = { "0ms", "500ms" } },
  workload   = { operations = 120, over = "20s",
                 mix = { put = 6, fetch = 10, invalidate = 1, drop_l2 = 2, message = 1, replay = 1, compact = 1 } },
  faults     = {
    messages    = { drop = 0.05, duplicate = 0.1, reorder = 0.2, delay = { "1ms", "3s" } },
    connections = { reset = 0.02 },
    nodes       = { crash = 0.03, power_loss = 0.3, down = { "10ms", "3s" } },
    valkey      = { restart = 0.002, flush_scripts = 0.02, evict = 0.02 },
    handlers    = { fail = 0.1 },
  },
  check      = { "fills_respect_invalidations" },
}
