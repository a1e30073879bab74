return scenario {
  about  = "Replicas answer reads with rows of a while ago, and one of them takes over without the newest writes: what the "
        .. "script decides holds all the same, and every job comes to an end.",
  nodes  = { "a", "b", "c" },
  tables = {
    users = { kind = "USR", lane = "broadcast", ttl = "5s", names = 3 },
    money = { kind = "WAL", lane = "job", ttl = "5s", names = 2 },
  },
  workload = { operations = 150, over = "60s", mix = { put = 3, fetch = 10, invalidate = 1, replay = 1, compact = 1 } },
  faults = {
    nodes       = { crash = 0.01 },
    valkey      = { { failover = 0.005, lose = 20, during = { "0s", "40s" } }, { stale = 0.2, lag = { "10ms", "2s" } } },
  },
  expect = "holds",
}
