-- The counterpart of hazards/clock_back_across_restart.lua: the same schedule with a generator that keeps a mark on its disk,
-- for both kinds of crash.
local function after(how)
  return scenario {
    name   = "clock_back_across_" .. how .. "_crash_mended",
    about  = "Held with `mint = \"persisted\"`: a generator whose mark was synced ahead of its mints goes on above them, "
          .. "wherever the clock is.",
    nodes  = { "a", "b" },
    mint   = "persisted",
    tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
    steps  = function(s)
      local ada = s.name("users", 1)
      s.put("a", ada, "first")
      s.fetch("b", ada)
      s.crash("a", how)
      s.clock("a", "-5s")
      s.restart("a")
      s.put("a", ada, "second")
      s.settle()
      s.expect(s.l2(ada).value == "second", "L2 holds the second write")
      s.expect(s.l1("b", ada) == nil, "and its message removed the first from L1")
    end,
    check = { "mint_order_is_write_order", "versions_are_unique", "rows_converge", "values_converge" },
  }
end

return { after("process"), after("power") }
