-- Weak point 14; failure modes E2, E7.
return scenario {
  about  = "Completing deletes a job's row with its attempts: enqueued again, it is claimed with a token that an earlier claim "
        .. "holds, and that zombie completes it.",
  source = "measured on a real server with scripts of this behaviour; nats-io/nats-server#4786; oban-bg/oban#1496",
  nodes  = { "a", "b" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local silver, gold = s.name("money", 1), s.name("money", 2)
    s.partition("b", "valkey")
    s.put("a", silver, "one")
    while #s.jobs() > 0 do s.advance("20ms") end   -- now a's beat has just been: it claims nothing for a while
    local zombie = s.stop_next("b", "job.complete")
    s.heal()
    s.put("a", gold, "one")
    s.partition("a", "valkey")                 -- so that b claims the job
    s.advance("45s")                           -- b handles it, stands still; its lease ends, and b does the job again
    s.expect(#s.jobs() == 0, "the job is done, its row is gone")
    s.heal()
    s.advance("2s")                            -- a is connected again
    s.hold { kind = "job" }
    s.replay("a")                              -- a's journal does not know: the same job id again
    s.advance("5s")
    s.expect(s.jobs()[1].state == "active", "it is claimed, and on its way to its handler")
    s.resume(zombie)                           -- the first claim completes now
    s.advance("10ms")
    s.expect(#s.jobs() == 0, "it took away a claim that is not its own")
    s.release { kind = "job" }
  end,
  expect = { violates = "token_is_one_claim" },
}
