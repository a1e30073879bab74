-- The counterpart of hazards/dead_holders_lease_waits.lua: the same schedule with a third consumer, which waits for nobody.
-- No setting of the design mends the hazard yet.
return scenario {
  about  = "Held where a consumer is free, here a third node's: the lease of a dead holder ends, and it takes the job back "
        .. "within a beat.",
  nodes  = { "a", "b", "c" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local gold, iron = s.name("money", 1), s.name("money", 2)
    s.partition("b", "valkey")                 -- so that a claims the job
    s.partition("c", "valkey")
    s.hold { kind = "job", to = "a" }
    s.hold { kind = "job", to = "b" }
    s.put("a", gold, "one")
    s.advance("2s")
    local job = s.jobs()[1]
    s.expect(job and job.state == "active", "a has claimed it")
    s.crash("a")                               -- and is dead
    s.heal()
    s.partition("c", "valkey")
    s.advance("20s")
    s.put("b", iron, "one")
    s.advance("2s")                            -- b has claimed a job too, which is on its way to its handler for long
    s.heal()
    s.advance("16s")
    s.expect(#s.jobs() == 1, "c has done the first job")
    s.release { kind = "job" }
  end,
  check = { "nothing_is_stuck" },
}
