-- Failure mode F8, where the design is right: what comes twice finds its effect done.
return scenario {
  about  = "A node enqueues its intent and crashes before it marks it. The job is done and its row gone when the replay "
        .. "enqueues it once more: it runs again, behind a newer write, and takes nothing away.",
  source = "Particular/docs.particular.net#1816; InditexTech/scs-outbox#94 (sent, and a crash before the mark)",
  nodes  = { "a", "b" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.put("a", gold, "one", { stop_before = "journal.mark" })
    s.crash("a")
    s.advance("40s")                           -- b does it, at the latest when a lease that a held has ended
    s.expect(#s.jobs() == 0 and s.applied("b", gold) ~= nil, "the job is done, its row is gone")
    s.hold { kind = "job" }
    s.restart("a")                             -- its journal does not know: it replays
    s.expect(#s.jobs() == 1, "the same job id, admitted as new")
    s.put("b", gold, "two")                    -- something newer
    s.fetch("a", gold)
    s.release { kind = "job" }                 -- the old message, once more
    s.settle()
    s.expect(s.l1("a", gold).value == "two" and s.l2(gold).value == "two", "the newer row stands at both layers")
    s.expect(#s.jobs() == 0, "every job came to its end")
  end,
  check = { "dedup_is_sound", "rows_converge", "values_converge" },
}
