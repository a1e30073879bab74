-- Failure mode F5.
-- The journal's first checkpoint fails at the sync of the database, the second at that of SQLite's log, which drops its pages
-- (fsyncgate); the third succeeds. The log keeps its hole until the next commit begins it anew, and a power loss lays the
-- frames in front of the hole over the newer database: an intent that a checkpoint had made safe is gone.
-- guarantees/synced_intents_survive.lua is the same where no sync fails.
return scenario {
  about   = "A failed sync of SQLite's log: a later checkpoint succeeds, and a power loss takes back what it made safe.",
  source  = "Rebello et al., Can Applications Recover from fsync Failures?, USENIX ATC 2020",
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
    s.fail_sync("a", 2)                        -- of the database, behind the log's
    others(2, 7)                               -- the first checkpoint, after 16 commits
    s.put("a", gold, "new")
    s.fail_sync("a")                           -- of the log
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
  expect = { violates = "every_node_hears", also = { "rows_converge", "values_converge", "expectation" } },
}
