-- Weak point 7; failure mode C4.
return scenario {
  about  = "A clock steps back while its node restarts: the generator begins in the past, and the later write is the older.",
  source = "hazelcast/hazelcast#17975; twitter-archive/snowflake#6",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.put("a", ada, "first")
    s.fetch("b", ada)
    s.crash("a")
    s.clock("a", "-5s")
    s.restart("a")
    s.put("a", ada, "second")
    s.settle()
    s.expect(s.l1("b", ada).value == "first", "the message of the second write is judged stale")
  end,
  expect = { violates = "mint_order_is_write_order", also = { "l2_never_goes_back", "rows_converge", "values_converge" } },
}
