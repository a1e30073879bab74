-- What does not crash but is not well either: every group of faults with an aim or a window of its own.
return scenario {
  about  = "Nodes stand still for longer than a lease, clocks drift, subscribers are cut off, and loads fail, lag or are slow.",
  nodes  = { "a", "b", "c" },
  tables = {
    users = { kind = "USR", lane = "broadcast", ttl = "5s", names = 3 },
    money = { kind = "WAL", lane = "job", ttl = "5s", names = 2 },
  },
  workload = { operations = 120, over = "120s",
               mix = { put = 4, fetch = 12, invalidate = 1, replay = 1, compact = 1, drop_l2 = 1 } },
  faults = {
    nodes = {
      { pause = 0.02, pause_for = { "1s", "45s" }, nodes = { "b" } },   -- beyond a lease: its handlers become zombies
      { pause = 0.05, pause_for = { "10ms", "2s" } },                   -- the others hesitate
    },
    clocks      = { drift = { -0.05, 0.05 }, step = 0.01 },
    connections = { away = 0.02, away_for = { "100ms", "10s" }, reset = 0.005 },
    loader = {
      { fail = 0.5, slow = 0.2, slow_by = { "1s", "20s" }, during = { "20s", "40s" } },  -- a bad time for the database
      { stale = 0.2, lag = { "100ms", "10s" } },
    },
    messages = { { delay = { "1ms", "20s" }, kinds = { "job" } }, { duplicate = 0.1, to = { "c" } } },
  },
  check = { "staleness_bounded" },
}
