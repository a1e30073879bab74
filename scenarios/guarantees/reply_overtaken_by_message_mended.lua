-- The counterpart of hazards/reply_overtaken_by_message.lua: the same schedule with leases, which hold for L1 as well.
return scenario {
  about  = "Held with `fill_write = \"lease\"`: a flight that a message overtook inserts nothing, whether it has loaded or read"
        .. " L2.",
  nodes  = { "writer", "reader" },
  fill_write = "lease",
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.put("writer", ada, "old")
    s.advance("1s")
    local flight = s.fetch("reader", ada, { stop_before = "l1.insert" })  -- L2 has answered "old"
    s.put("writer", ada, "new")
    s.advance("1s")                                                       -- the message is processed
    s.resume(flight)
    s.expect(s.l1("reader", ada) == nil, "the answer came behind the message, and is not inserted")
    s.expect(s.fetch("reader", ada).value == "new", "the next read finds the new row")
  end,
  check = { "fills_respect_invalidations", "rows_converge", "values_converge" },
}
