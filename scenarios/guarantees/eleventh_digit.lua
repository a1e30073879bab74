-- Failure mode C10, where the design is right: ids are padded.
return scenario {
  about  = "A run that crosses 2030-05-05T00:36:02Z, where an unpadded Base62 would grow a digit: padded ids stay in order.",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "5s", names = 2 } },
  start  = "2030-05-05T00:35:55Z",
  workload = { operations = 120, over = "14s", mix = { put = 4, fetch = 6, drop_l2 = 4 } },
  faults = { messages = { duplicate = 0.1, delay = { "1ms", "4s" } } },
}
