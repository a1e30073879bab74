-- The counterpart of hazards/failed_sync_of_the_log.lua: the same, and no sync fails.
return scenario {
  about   = "Held where no sync fails: what a checkpoint of the journal has synced survives a power loss, and gets through "
         .. "after the bus is gone.",
  nodes   = { "a", "b" },
  journal = "sqlite",
  fanout  = "per_node",
  tables  = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps   = function(s)
    local gold = s.name("money", 1)
    s.commit(gold, "old")
    s.fetch("b", gold)
    s.hold { kind = "job" }                    -- nobody applies anything yet
    local function others(from, to)            -- three commits a write: a record, and a mark for each queue
      for i = from, to do s.put("a", s.name("money", i), "other") end
    end
    others(2, 7)                               -- the first checkpoint, after 16 commits
    s.put("a", gold, "new")
    others(8, 16)                              -- the second, and with the last commit the third
    s.crash("a", "power")
    s.valkey_restart()                         -- the bus is gone too, with all that it had handed out:
    s.discard { kind = "job" }                 -- only the journal could bring the message again
    s.release { kind = "job" }
    s.restart("a")
    s.settle()
    local row = s.l1("b", gold)
    s.expect(row == nil or row.value == "new", "b has heard of the write")
  end,
  check = { "every_node_hears", "rows_converge", "values_converge" },
}
