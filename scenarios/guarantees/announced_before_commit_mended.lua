-- The counterpart of hazards/announced_before_commit.lua: the same write, announced when its transaction has committed.
return scenario {
  about  = "Held where a write is announced after its commit, as Table.put's order is: whoever drops its row then loads the new"
        .. " value.",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    s.fetch("reader", ada)
    s.advance("5ms")
    local write = s.write("writer", ada, "new")
    write.mint()
    s.advance("1s")                            -- the transaction is open
    s.expect(s.fetch("reader", ada).value == "old", "nobody has heard of it")
    write.commit()
    write.table_put()
    write.announce()
    s.advance("1s")
    s.expect(s.l1("reader", ada) == nil, "the reader has dropped its row")
    s.expect(s.fetch("reader", ada).value == "new", "and finds the new value")
  end,
  check = { "values_converge", "rows_converge", "frames_are_authentic", "l2_never_goes_back" },
}
