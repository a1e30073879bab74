return scenario {
  about  = "The script cache of a replica that takes over is empty: the next drop meets NOSCRIPT, loads the script and runs.",
  source = "redis/redis-py#4206 (the cache is per node, not replicated); redis/ioredis#1497",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "5s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.put("writer", ada, "one")
    s.advance("100ms")                          -- the reader's drop_l2 has loaded the script
    s.failover { lose = 0 }
    s.advance("1s")                             -- connected again, and subscribed
    local newer = s.mint("writer")
    local drop = s.drop_l2("reader", ada, newer)
    s.expect(drop.outcome == "dropped", "the caller sees nothing of it")
    s.expect(s.l2(ada) == nil, "and the row is gone")
    s.put("writer", ada, "two")
    s.advance("100ms")
    s.expect(s.l2(ada).value == "two", "messages go on as before: an equal version drops nothing")
  end,
  check = { "values_converge", "rows_converge" },
}
