-- The counterpart of hazards/one_job_id_two_messages.lua: the same schedule with a number for each node.
return scenario {
  about  = "Held with a node number for each node (`node_numbers`): each message has a job id of its own: both are admitted, "
        .. "and both run.",
  nodes  = { "a", "b" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local gold, iron = s.name("money", 1), s.name("money", 2)
    local one = s.intend("a", gold, "WAL0000000001a", { stop_before = "journal.record" })
    local two = s.intend("b", iron, "WAL0000000001b", { stop_before = "journal.record" })
    s.hold { kind = "job" }                    -- so that the first job is still there when the second comes
    s.resume(one)                              -- both have minted their job ids, in one millisecond
    s.expect(s.resume(two).outcome == "ok", "the bus takes both")
    s.expect(#s.jobs() == 2, "both are due")
    s.release { kind = "job" }
    s.replay("a")                              -- rightly refused: the job it would bring is there, or done
    s.settle()
    s.expect(s.applied("a", gold) or s.applied("b", gold), "the first has run")
    s.expect(s.applied("a", iron) or s.applied("b", iron), "and so has the second")
  end,
  check = { "dedup_is_sound" },
}
