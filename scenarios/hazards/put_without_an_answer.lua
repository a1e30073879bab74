-- Failure mode D6.
return scenario {
  about  = "A put's SET runs, its answer is lost. The owner dies, so the write fails and announces nothing, though the source "
        .. "of truth and L2 hold it: other nodes keep the old value for a whole ttl.",
  source = "redis/redis-py#261, #977; redis/go-redis#2339 (a timeout whose outcome nobody knows)",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    s.fetch("b", ada)
    s.advance("5ms")
    s.partition("valkey", "a", { one_way = true })
    s.expect(s.put("a", ada, "new").outcome == "failed", "the caller is told that it failed")
    s.heal()
    s.advance("1s")
    s.expect(s.truth(ada).value == "new" and s.l2(ada).value == "new", "it has happened all the same")
    s.expect(s.l1("b", ada).value == "old", "and b was told nothing")
  end,
  expect = { violates = "values_converge", also = { "rows_converge" } },
}
