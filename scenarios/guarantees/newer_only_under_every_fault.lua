return scenario {
  about      = "With writes that compare, and a floor behind every drop, no row of L2 ever goes back, whatever fails.",
  nodes      = { "a", "b", "c" },
  fill_write = "newer_only",
  put_write  = "newer_only",
  after_drop = "floor",
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
    clocks      = { offset = { "-250ms", "250ms" }, step = 0.02 },
    valkey      = { restart = 0.002, flush_scripts = 0.02, evict = 0.02 },
    handlers    = { fail = 0.1 },
  },
  check      = { "l2_never_goes_back" },
}
