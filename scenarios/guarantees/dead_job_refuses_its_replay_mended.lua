-- The counterpart of hazards/dead_job_refuses_its_replay.lua: handlers are well again before the last attempt. The replay in
-- between is suppressed as well, and rightly: the job that stands for it is still due. No setting of the design mends the
-- hazard yet.
return scenario {
  about  = "Held where handlers are well again before the last attempt: a replay is refused as a duplicate while the job is due"
        .. " again, and that job runs.",
  nodes  = { "a", "b" },
  fanout = "per_node",
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  faults = { handlers = { fail = 1 } },        -- until the settle
  steps  = function(s)
    local gold = s.name("money", 1)
    s.commit(gold, "old")
    s.fetch("b", gold)
    s.put("a", gold, "new")
    s.advance("1200ms")                        -- one attempt at each queue, or two
    local job = s.jobs()[1]
    s.expect(job and job.state ~= "dead", "attempts are left")
    s.replay("a")
    s.settle()
    s.expect(s.l1("b", gold) == nil, "the message has run")
    s.expect(#s.jobs() == 0, "every job came to its end")
  end,
  check = { "dedup_is_sound" },
}
