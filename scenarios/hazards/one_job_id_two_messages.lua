-- Weak point 7; failure mode C3.
return scenario {
  about  = "Two live nodes with one number give two messages one job id: the second is refused as a duplicate of a job that "
        .. "carries the first. So may its replays be, as long as the other node replays too.",
  source = "dotnetcore/CAP#1322; Meituan-Dianping/Leaf#98 (two processes with one number)",
  nodes  = { "a", "b" },
  node_numbers = { 7, 7 },
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local gold, iron = s.name("money", 1), s.name("money", 2)
    local one = s.intend("a", gold, "WAL0000000001a", { stop_before = "journal.record" })
    local two = s.intend("b", iron, "WAL0000000001b", { stop_before = "journal.record" })
    s.hold { kind = "job" }                    -- so that the first job is still there when the second comes
    s.resume(one)                              -- both have minted their job ids, in one millisecond
    s.expect(s.resume(two).outcome == "duplicate", "the bus takes the second for the first")
    s.expect(#s.jobs() == 1, "only the first is due")
    s.release { kind = "job" }
  end,
  expect = { violates = "dedup_is_sound", also = { "no_intent_lost" } },
}
