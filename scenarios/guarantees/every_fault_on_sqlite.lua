return scenario {
  about   = "The job lane under every fault at once, journals in SQLite, one queue a node: the guarantees hold.",
  nodes   = { "a", "b", "c" },
  journal = "sqlite",
  fanout  = "per_node",
  tables  = {
    users = { kind = "USR", lane = "broadcast", ttl = "5s", jitter = 0.1, names = 2, ring_capacity = 8 },
    money = { kind = "WAL", lane = "job", ttl = "5s", names = 2 },
  },
  workload = {
    operations = 100, over = "60s",
    mix = { put = 5, fetch = 6, invalidate = 1, replay = 1, compact = 1, drop_l2 = 1, message = 1 },
  },
  version_kinds = { "USR", "WAL", "AAA", "ZZZ" },
  faults = {
    messages    = { drop = 0.05, duplicate = 0.10, reorder = 0.05, delay = { "1ms", "2s" } },
    connections = { reset = 0.01 },
    nodes       = { crash = 0.04, power_loss = 0.3, down = { "10ms", "5s" } },
    disks       = { sync_fail = 0.05, torn = 0.5 },
    clocks      = { offset = { "-250ms", "250ms" }, step = 0.01, step_by = { "-2s", "2s" } },
    valkey      = { restart = 0.002, flush_scripts = 0.01, evict = 0.01 },
    handlers    = { fail = 0.05, latency = { "0ms", "100ms" } },
  },
}
