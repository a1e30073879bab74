-- Here for `cohsim power`: no other scenario sees an L1 that outlives a crash.
return scenario {
  about  = "A node is down while a write is announced, and misses it: that does no harm, since its L1 went with the process.",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local ann = s.name("users", 1)
    s.put("a", ann, "one")
    s.fetch("b", ann)                          -- b's L1 holds "one"
    s.crash("b")
    s.put("a", ann, "two")                     -- nobody tells b, neither now nor later
    s.restart("b")
    s.settle()
  end,
  check = { "every_node_hears", "rows_converge", "values_converge" },
}
