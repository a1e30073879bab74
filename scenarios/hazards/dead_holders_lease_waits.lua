-- Failure modes E4, E13.
return scenario {
  about  = "A consumer takes back leases between its handlers, and waits for each handler: while it waits for a slow one, the "
        .. "lease of a dead holder runs on, though a consumer lives.",
  source = "oban-bg/oban#862, #424, #603 (orphans that nobody rescues); taskforcesh/bullmq#648 (a live process that consumes nothing)",
  nodes  = { "a", "b" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local gold, iron = s.name("money", 1), s.name("money", 2)
    s.partition("b", "valkey")                 -- so that a claims the job
    s.hold { kind = "job" }
    s.put("a", gold, "one")
    s.advance("2s")
    local job = s.jobs()[1]
    s.expect(job and job.state == "active", "a has claimed it")
    s.crash("a")                               -- and is dead
    s.heal()
    s.advance("20s")
    s.put("b", iron, "one")
    s.advance("2s")                            -- b has claimed a job too, which is on its way to its handler for long
    s.advance("16s")
    job = s.jobs()[1]
    s.expect(job and job.state == "active" and job.attempts == 1, "40 s after the claim nobody has taken the first job back")
    s.release { kind = "job" }
  end,
  expect = { violates = "nothing_is_stuck" },
}
