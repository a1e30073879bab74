return scenario {
  about  = "Nodes lose the server for seconds, in one direction or in both: what times out may have run, and nobody takes it for "
        .. "an answer; after each cut jobs, messages and replays go on.",
  nodes  = { "a", "b", "c" },
  tables = {
    users = { kind = "USR", lane = "broadcast", ttl = "5s", names = 3 },
    money = { kind = "WAL", lane = "job", ttl = "5s", names = 2 },
  },
  workload = { operations = 120, over = "60s", mix = { put = 4, fetch = 10, invalidate = 1, replay = 1, compact = 1 } },
  faults = {
    connections = {
      { partition = 0.1, partition_for = { "50ms", "3s" }, nodes = { "a", "b" } },
      { partition = 0.02, partition_for = { "5s", "40s" } },            -- c: longer than a lease
    },
    nodes = { crash = 0.01 },
  },
}
