return scenario {
  about  = "Many mints inside one millisecond, so that versions differ in their last digits only.",
  nodes  = { "a", "b", "c" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "5s", names = 1 } },
  burst  = 24,
  workload = { operations = 240, over = "10s", mix = { put = 6, fetch = 2, drop_l2 = 6 } },
  faults = { messages = { duplicate = 0.2, reorder = 0.3 } },
}
