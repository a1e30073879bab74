-- Failure mode A2.
return scenario {
  about  = "A flight that loaded before a write is slow. After the write has ended, the node that wrote reads again, joins that"
        .. " flight, and is answered the value from before its own write.",
  source = "vectorize-io/hindsight#2315; snowflakedb/terraform-provider-snowflake#5169 (a flight joined too late)",
  nodes  = { "a" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "5s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    local flight = s.fetch("a", ada, { stop_before = "l1.insert" })  -- it has loaded "old"
    s.put("a", ada, "new")                                           -- done: stored, inserted and announced
    s.advance("6s")                                                  -- both rows have expired
    local answered = pcall(s.fetch, "a", ada)                        -- joins the flight, and waits for it in vain
    s.expect(not answered, "the second reader waits for the first one's flight")
    s.expect(s.counters("a").coalesced == 1, "it has no flight of its own")
    s.resume(flight)                                                 -- answers both
    s.expect(s.l1("a", ada).value == "old", "and the old value is cached as well")
  end,
  expect = {
    violates = "read_your_writes",
    also = { "fills_respect_invalidations", "rows_converge", "values_converge" },
  },
}
