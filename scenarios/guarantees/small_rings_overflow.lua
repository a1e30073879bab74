-- Here for `cohsim power`: elsewhere a script alone sees a ring that overwrites.
return scenario {
  about  = "Writes come faster than a ring of two can be applied: what a full ring refuses is counted, what it accepted is applied.",
  nodes  = { "a", "b", "c" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "2s", names = 3, ring_capacity = 2 } },
  workload = { operations = 300, over = "200ms", mix = { put = 4, fetch = 1, invalidate = 1 } },
  faults = {
    messages = { delay = { "0ms", "1ms" } },   -- closer together than an applier's DEL is answered
  },
}
