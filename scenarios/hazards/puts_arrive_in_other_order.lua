-- Weak point 5; failure mode C6.
return scenario {
  about  = "Two puts reach the server in the other order than they were minted: the older row stays.",
  source = "kamu-data/kamu-cli#1398; prooph/pdo-event-store#189 (minted first, arriving last)",
  nodes  = { "slow", "quick" },
  tables = { users = { kind = "USR", lane = "none", ttl = "5s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    local first = s.put("slow", ada, "first", { stop_before = "put.set" })  -- minted and committed
    s.put("quick", ada, "second")
    s.resume(first)
    s.expect(s.l2(ada).value == "first", "L2 holds the older write")
  end,
  expect = { violates = "l2_never_goes_back", also = { "rows_converge", "values_converge" } },
}
