-- Failure mode E1, where the design is right: applying twice is applying once.
return scenario {
  about  = "A consumer outlives its lease: its token is refused, and what it applies late is no newer than what stands.",
  source = "Kleppmann, How to do distributed locking, 2016 (fencing tokens)",
  nodes  = { "a", "b" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.hold { kind = "job" }                    -- whoever claims the job gets it very late
    s.put("a", gold, "one")
    s.advance("35s")                           -- its lease ends, the job is claimed again with token 2
    s.put("b", gold, "two")
    s.expect(#s.jobs() == 2, "the first job is not done, the second is waiting")
    s.duplicate { kind = "job" }               -- and each delivery comes twice
    s.release { kind = "job" }
    s.settle()
    s.expect(s.l2(gold).value == "two", "the newer row stands")
    s.expect(#s.jobs() == 0, "every job came to its end")
  end,
}
