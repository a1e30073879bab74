-- The counterpart of hazards/commits_in_other_order.lua: the same schedule where the writer stands still before it mints. No
-- setting of the design mends the hazard yet: a version minted inside the commit, by the source of truth, would.
return scenario {
  about  = "Held where no writer stands still between its mint and its commit: versions rise in the order of the commits, and "
        .. "the message of the last one removes the others.",
  nodes  = { "slow", "quick" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    local write = s.write("slow", ada, "slow")                                  -- begun, not minted
    s.advance("1s")
    s.put("quick", ada, "quick")
    s.advance("1s")
    write.mint()
    write.commit()
    write.table_put()
    write.announce()
    s.advance("1s")
    s.expect(s.truth(ada).value == "slow", "the source of truth holds what was committed last")
    s.expect(s.l1("quick", ada) == nil, "the message about it removed the other")
  end,
  check = { "mint_order_is_write_order", "l2_never_goes_back", "rows_converge", "values_converge" },
}
