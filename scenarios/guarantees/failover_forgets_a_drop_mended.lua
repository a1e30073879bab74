-- The counterpart of hazards/failover_forgets_a_drop.lua: the same schedule with a failover that loses nothing, as where a
-- drop counts as done only once the replica has it (WAIT). No setting of the design does that yet.
return scenario {
  about  = "A failover to a replica that has every acknowledged write: what was dropped stays gone.",
  nodes  = { "a" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "2m", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.commit(gold, "old")
    s.fetch("a", gold)                          -- both layers hold the old value
    local new = s.commit(gold, "new")           -- somebody writes past the cache
    local handler = s.stop_next("a", "job.complete")
    s.intend("a", gold, new.version)            -- and has it announced
    s.advance("2s")
    s.expect(s.l2(gold) == nil and s.l1("a", gold) == nil, "the message took the old row out of both layers")
    s.expect(s.applied("a", gold) == new.version, "and is remembered")
    s.failover { lose = 0 }                     -- the replica that takes over has the DEL
    s.expect(s.l2(gold) == nil, "the row is gone there too")
    s.advance("1s")                             -- connected again
    s.resume(handler)                           -- the job is completed on the new server
    s.fetch("a", gold)
    s.expect(s.l1("a", gold).value == "new", "the loader brought the new value")
  end,
  check = { "remembered_rows_stay_gone", "values_converge", "rows_converge" },
}
