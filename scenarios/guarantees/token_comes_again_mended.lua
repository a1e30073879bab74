-- The counterpart of hazards/token_comes_again.lua: the same schedule with tokens that are used once.
return scenario {
  about  = "Held with `token = \"unique\"`: a claim is fenced by a number that no other claim of the queue held: the zombie is "
        .. "refused.",
  nodes  = { "a", "b" },
  token  = "unique",
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
    s.expect(#s.jobs() == 1, "the claim of another stands")
    s.release { kind = "job" }
    s.settle()
    s.expect(#s.jobs() == 0, "and its own handler completes it")
  end,
  check = { "token_is_one_claim" },
}
