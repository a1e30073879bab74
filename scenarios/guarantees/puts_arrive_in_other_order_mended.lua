-- The counterpart of hazards/puts_arrive_in_other_order.lua: the same schedule with puts that compare and set in one step.
return scenario {
  about     = "Held with `put_write = \"newer_only\"`: a put that finds a newer row is refused in L2, and enters no L1 either: "
           .. "its node reads what stands.",
  nodes     = { "slow", "quick" },
  put_write = "newer_only",
  tables    = { users = { kind = "USR", lane = "none", ttl = "5s", jitter = 0 } },
  steps     = function(s)
    local ada = s.name("users", 1)
    local first = s.put("slow", ada, "first", { stop_before = "put.set" })
    s.put("quick", ada, "second")
    s.resume(first)
    s.expect(s.l2(ada).value == "second", "L2 keeps the newer write")
    s.expect(s.l1("slow", ada) == nil, "the refused row is not inserted")
    s.advance("1ms")
    s.expect(s.fetch("slow", ada).value == "second", "and the next read finds the newer one")
  end,
  check = { "l2_never_goes_back", "rows_converge", "values_converge", "read_your_writes" },
}
