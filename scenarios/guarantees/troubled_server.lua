return scenario {
  about  = "The server runs out of memory, hears nobody for seconds, or is hung by somebody's script: what it refused or "
        .. "ran late never erases a newer row, and every job comes to an end.",
  nodes  = { "a", "b", "c" },
  tables = {
    users = { kind = "USR", lane = "broadcast", ttl = "5s", names = 3 },
    money = { kind = "WAL", lane = "job", ttl = "5s", names = 2 },
  },
  workload = { operations = 150, over = "60s", mix = { put = 3, fetch = 10, invalidate = 1, replay = 1, compact = 1 } },
  faults = {
    messages    = { drop = 0.02, duplicate = 0.05 },
    connections = { reset = 0.01 },
    nodes       = { crash = 0.01 },
    valkey      = {
      { full = 0.01, slow = 0.01, during = { "0s", "30s" } },
      { hang = 0.005, hang_for = { "1s", "12s" }, flush_scripts = 0.01, during = { "30s", "60s" } },
    },
  },
  expect = "holds",
}
