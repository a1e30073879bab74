-- Failure mode C1, where the design is right: a generator that runs goes on from its cell.
return scenario {
  about  = "A clock steps back under a running node: its generator mints on above what it has minted, so the later write is the"
        .. " newer.",
  source = "twitter-archive/snowflake#6; bwmarrin/snowflake#20, #53 (a sequence reset before the check, ids that repeat)",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    local last = s.put("a", ada, "first").version
    s.fetch("b", ada)
    for _, by in ipairs { "-100ms", "+100ms", "-5s", "+1s" } do  -- back, to the very millisecond again, and about
      s.clock("a", by)
      local write = s.put("a", ada, "after " .. by)
      s.expect(write.version > last, "the version behind a step of " .. by .. " is newer")
      last = write.version
    end
    s.advance("1s")
    s.expect(s.l1("b", ada) == nil, "b has dropped its row")
  end,
  check = { "versions_are_unique", "mint_order_is_write_order", "l2_never_goes_back", "rows_converge", "values_converge" },
}
