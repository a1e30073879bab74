-- Failure mode E2, where the design is right: whoever settles a job says which attempt it was.
return scenario {
  about  = "An attempt that outlived its lease fails at last, when later attempts have buried the job: its retry brings nothing"
        .. " back.",
  source = "oban-bg/oban#1496, #532 (a stale executor's settlement overwrites the newer state)",
  nodes  = { "a" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    s.message { table = "money", bytes = "no message at all" }  -- every attempt fails
    local zombie = s.stop_next("a", "job.complete")
    s.advance("2s")                            -- the first attempt has raised, and stands still before it says so
    s.expect(s.jobs()[1].attempts == 1 and s.jobs()[1].state == "active", "the lease runs")
    s.advance("60s")                           -- it ends; two more attempts fail
    s.expect(s.jobs()[1].attempts == 3 and s.jobs()[1].state == "dead", "the job is dead")
    s.resume(zombie)                           -- retry, with the first attempt's token
    s.advance("5s")
    s.expect(s.jobs()[1].attempts == 3 and s.jobs()[1].state == "dead", "it stays so")
  end,
  check = { "token_is_one_claim" },
}
