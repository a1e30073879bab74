-- Failure mode A12.
return scenario {
  about    = "A message outruns the SET of the row that it announces, and the receiver drops its L1 row only: its next read "
          .. "finds the old row in L2 and keeps it for a whole ttl, with nothing left to invalidate it.",
  source   = "ZiggyCreatures/FusionCache#313, #442 (a notified node reads L2 before the write has got there)",
  nodes    = { "a", "b" },
  receiver = "l1",
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
    s.expect(s.l1("b", ada) == nil, "b has dropped its row")
    s.expect(s.fetch("b", ada).value == "old", "and reads the old one from L2")
    write.table_put()
    s.expect(s.l1("b", ada).value == "old", "the new row in L2 changes nothing at b")
  end,
  expect   = { violates = "rows_converge", also = { "values_converge" } },
}
