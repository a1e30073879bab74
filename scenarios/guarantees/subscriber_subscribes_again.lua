-- Here for `cohsim power`: no other scenario sees a subscription that is gone.
return scenario {
  about  = "The server restarts and keeps its rows; every subscriber comes back and subscribes again, and hears the next write.",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local ann = s.name("users", 1)
    s.put("a", ann, "one")
    s.fetch("b", ann)                          -- b's L1 holds "one"
    s.valkey_restart { keep = true }           -- every connection breaks, and with it every subscription
    s.advance("5s")                            -- both nodes are connected again
    s.put("a", ann, "two")                     -- b must be told
    s.settle()
  end,
  check = { "every_node_hears", "rows_converge", "values_converge" },
}
