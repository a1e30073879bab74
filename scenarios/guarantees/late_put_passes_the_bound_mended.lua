-- The counterpart of hazards/late_put_passes_the_bound.lua: the same schedule, and the writer that stood still is gone before
-- its SET. No setting of the design mends the hazard yet: `put_write = "newer_only"` needs a row to compare with, and that has
-- expired.
return scenario {
  about  = "Held where no writer lives on after a pause longer than the ttl between its commit and its SET: here its process is"
        .. " ended, and what it had committed is read from the source of truth or not at all.",
  nodes  = { "slow", "quick", "reader" },
  tables = { users = { kind = "USR", lane = "none", ttl = "1s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.put("slow", ada, "first", { stop_before = "put.set" })                -- minted and committed
    s.put("quick", ada, "second")
    s.advance("10s")                                                        -- every row of the second has expired
    s.crash("slow")                                                         -- a watchdog ends what stood still
    s.restart("slow")
    s.expect(s.fetch("reader", ada).value == "second", "a read gives what was written last")
    s.expect(s.fetch("slow", ada).value == "second", "at either node")
  end,
  check = { "staleness_bounded", "rows_converge", "values_converge" },
}
