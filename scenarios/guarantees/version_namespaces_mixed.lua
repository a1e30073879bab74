return scenario {
  about  = "Versions of many namespaces: only the eleven bytes behind them decide.",
  nodes  = { "a", "b", "c" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "5s", names = 2 } },
  version_kinds = { "AAA", "TXN", "USR", "ZZZ" },
  workload = { operations = 120, over = "20s", mix = { put = 4, fetch = 6, drop_l2 = 4 } },
  faults = { messages = { duplicate = 0.2, delay = { "1ms", "3s" } } },
}
