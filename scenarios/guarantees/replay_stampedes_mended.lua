-- The counterpart of hazards/replay_stampedes.lua: the same schedule with fills under the version that was loaded.
return scenario {
  about  = "Held with `fill_version = \"source\"`: what was loaded after an outage carries its write's version: no replayed "
        .. "message of the past removes it.",
  nodes  = { "writer", "reader" },
  fanout = "per_node",
  fill_version = "source",
  tables = { money = { kind = "WAL", lane = "job", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.clock("reader", "-10m")
    s.hold { kind = "job", to = "reader" }
    for i = 1, 6 do s.put("writer", gold, "value " .. i) end
    s.advance("2s")
    s.valkey_restart { keep = false }          -- rows and queues are gone; the writer's journal still knows all six
    s.discard { kind = "job", to = "reader" }
    s.release { kind = "job", to = "reader" }
    s.advance("40s")                           -- the reader waits no more for what was lost; faults are over
    local job = s.stop_next("reader", "job.handle")
    s.replay("writer")
    for i = 1, 6 do
      s.advance("2s")                          -- the i-th job is about to be handled
      s.fetch("reader", gold)
      local next_one = i < 6 and s.stop_next("reader", "job.handle")
      s.resume(job)
      job = next_one
    end
    s.advance("2s")
    s.expect(s.counters("reader").fills == 1, "one load")
  end,
  check = { "recovery_does_not_stampede" },
}
