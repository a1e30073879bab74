-- The counterpart of hazards/announced_before_stored.lua: the same schedule where the receiver drops the L2 row, too.
return scenario {
  about    = "Held with `receiver = \"l1+l2\"`: the receiver drops the old row in L2 as well, and its next read loads the new "
          .. "value.",
  nodes    = { "a", "b" },
  receiver = "l1+l2",
  tables   = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps    = function(s)
    local ada = s.name("users", 1)
    s.put("a", ada, "old")
    s.fetch("b", ada)
    s.advance("1s")
    local write = s.write("a", ada, "new")
    write.mint()
    write.commit()
    write.announce()                           -- by another connection than the SET, or in the other order
    s.advance("1s")
    s.expect(s.l1("b", ada) == nil and s.l2(ada) == nil, "b has dropped both rows")
    s.expect(s.fetch("b", ada).value == "new", "and loads the new value")
    write.table_put()
    s.expect(s.l2(ada).value == "new", "which L2 holds in the end")
  end,
  check    = { "rows_converge", "values_converge" },
}
