return scenario {
  about  = "Clocks that stand apart and step both ways: newer wins by version, whoever's clock minted it.",
  nodes  = { "a", "b", "c" },
  tables = {
    users = { kind = "USR", lane = "broadcast", ttl = "5s", names = 2 },
    money = { kind = "WAL", lane = "job", ttl = "5s", names = 1 },
  },
  workload = { operations = 150, over = "40s", mix = { put = 5, fetch = 6, drop_l2 = 2 } },
  faults = {
    clocks = { offset = { "-3s", "3s" }, step = 0.1, step_by = { "-5s", "5s" } },
    nodes  = { crash = 0.03, down = { "10ms", "1s" } },
    messages = { delay = { "1ms", "1s" } },
  },
}
