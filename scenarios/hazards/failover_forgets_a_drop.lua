-- Weak point 11; failure mode D1.
return scenario {
  about  = "A message drops the L2 row and is remembered; a failover loses the drop: the old row is back, and whatever comes "
        .. "again is remembered as done.",
  source = "Jepsen: Redis, 2013 (aphyr.com/posts/283); sidekiq/sidekiq#3811; redis.io, WAIT (no strong consistency)",
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
    s.failover { lose = 1 }                     -- the replica that takes over never got the DEL
    s.expect(s.l2(gold).value == "old", "the old row stands in L2 again")
    s.advance("1s")                             -- connected again
    s.resume(handler)                           -- the job is completed on the new server
    s.fetch("a", gold)
    s.intend("a", gold, new.version)            -- even announcing it once more
    s.advance("2s")
    s.expect(s.l1("a", gold).value == "old", "does not help: it is remembered_stale, no layer is touched")
  end,
  expect = { violates = "remembered_rows_stay_gone", also = { "values_converge", "rows_converge" } },
}
