-- Weak point 11.
return scenario {
  about  = "A server without persistence forgets the job that a node has claimed: replay brings it again under its id, the next "
        .. "claim holds the same token, and the first claimant completes it.",
  source = "sidekiq/sidekiq#2999 (jobs gone with the server); oban-bg/oban#1496 (a stale executor settles)",
  nodes  = { "a", "b" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    local at_a, at_b = s.stop_next("a", "job.handle"), s.stop_next("b", "job.handle")
    s.put("a", gold, "one")
    s.advance("2s")                             -- one of them claims the job, and stands still
    local first = s.state(at_a).stopped_before and at_a or at_b
    s.valkey_restart()                          -- rows, queue and script cache are gone
    s.expect(#s.jobs() == 0 and s.intents("a")[1].enqueued, "the job is nowhere, and a's journal takes it for enqueued")
    s.advance("1s")                             -- connected again
    s.replay("a")
    s.advance("2s")                             -- the other one claims it and stands still as well
    s.expect(s.jobs()[1].state == "active" and s.jobs()[1].attempts == 1, "a first attempt, once more")
    s.resume(first)
    s.advance("10ms")
    s.expect(#s.jobs() == 0, "the first one took away a claim that is not its own")
  end,
  expect = { violates = "token_is_one_claim" },
}
