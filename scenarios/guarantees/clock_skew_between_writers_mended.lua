-- The counterpart of hazards/clock_skew_between_writers.lua: the same schedule where more time passes between the writes than
-- the clocks stand apart. No setting of the design mends the hazard yet.
return scenario {
  about  = "Held where the writes of a name are further apart than the clocks are: mint order is write order then, and the "
        .. "message of the second write removes the first everywhere.",
  nodes  = { "ahead", "other" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.clock("ahead", "+5s")
    s.put("ahead", ada, "first")               -- its version is five seconds in the future
    s.advance("6s")
    s.put("other", ada, "second")              -- later than that, by an honest clock
    s.advance("1s")
    s.expect(s.truth(ada).value == "second", "the source of truth holds the second write")
    s.expect(s.l1("ahead", ada) == nil, "the node ahead has dropped its own")
  end,
  check = { "mint_order_is_write_order", "l2_never_goes_back", "rows_converge", "values_converge" },
}
