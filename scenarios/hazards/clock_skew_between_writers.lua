-- Weak point 6; failure modes C7, C13.
return scenario {
  about  = "One writer's clock is five seconds ahead. A write of the other, two seconds later, gets the older version: its "
        .. "message is judged stale, and the node ahead serves its own, superseded value for a whole ttl.",
  source = "Erlang/OTP, Time and Time Correction (clocks that disagree); NANOG 2005-12-31 (clocks that stepped the wrong way)",
  nodes  = { "ahead", "other" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.clock("ahead", "+5s")
    s.put("ahead", ada, "first")               -- its version is five seconds in the future
    s.advance("2s")
    s.put("other", ada, "second")              -- later, by an honest clock: an older version
    s.advance("1s")                            -- its message arrives, and is not newer
    s.expect(s.truth(ada).value == "second", "the source of truth holds the second write")
    s.expect(s.l1("ahead", ada).value == "first", "the node ahead keeps its own")
  end,
  expect = { violates = "mint_order_is_write_order", also = { "l2_never_goes_back", "rows_converge", "values_converge" } },
}
