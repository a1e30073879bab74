-- Weak point 5, seen by a reader.
return scenario {
  about  = "A writer stands still between its commit and its SET for longer than rows live. Its SET then finds no row that it "
        .. "could be compared with: readers get a value that was superseded long ago, beyond every bound that the ttl gives.",
  source = "Kleppmann, How to do distributed locking, 2016 (a process that pauses and then writes)",
  nodes  = { "slow", "quick", "reader" },
  tables = { users = { kind = "USR", lane = "none", ttl = "1s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    local first = s.put("slow", ada, "first", { stop_before = "put.set" })  -- minted and committed
    s.put("quick", ada, "second")
    s.advance("10s")                                                        -- every row of the second has expired
    s.resume(first)
    s.expect(s.fetch("reader", ada).value == "first", "a read gives what was superseded ten seconds ago")
    s.advance("3s")                                                         -- until that expires, too
  end,
  expect = { violates = "staleness_bounded" },
}
