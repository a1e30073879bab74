-- Weak point 16; failure mode C6.
return scenario {
  about  = "A writer mints its version, stands still, and commits after one that minted later. The write that counts has the "
        .. "older version, with perfect clocks: its message is judged stale wherever the other write is cached.",
  source = "kamu-data/kamu-cli#1398; patchlevel/event-sourcing#615; prooph/pdo-event-store#189 (numbered first, committed last)",
  nodes  = { "slow", "quick" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    local write = s.put("slow", ada, "slow", { stop_before = "write.commit" })  -- it has minted
    s.advance("1s")
    s.put("quick", ada, "quick")                                                -- mints later, commits sooner
    s.advance("1s")
    s.resume(write)                                                             -- commits, stores, announces
    s.advance("1s")
    s.expect(s.truth(ada).value == "slow", "the source of truth holds what was committed last")
    s.expect(s.l1("quick", ada).value == "quick", "the message about it removes nothing")
  end,
  expect = { violates = "mint_order_is_write_order", also = { "l2_never_goes_back", "rows_converge", "values_converge" } },
}
