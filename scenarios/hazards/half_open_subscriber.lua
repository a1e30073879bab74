-- Weak point 12; failure mode B3.
return scenario {
  about  = "The way from the server to one node is cut, and only that way: the node's subscription stays up at both ends, "
        .. "nothing breaks, nothing arrives. It serves its old L1 rows, and does not learn afterwards that it missed anything.",
  source = "celery/kombu#2590; gomodule/redigo#295; redis/redis-py#1019 (half-open, and a check that only writes)",
  nodes  = { "a", "b" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    s.fetch("b", ada)
    s.partition("valkey", "b", { one_way = true })
    s.put("a", ada, "new")                     -- published to b as well, and swallowed on the way
    s.advance("3s")
    s.heal()
    s.advance("1s")                            -- the same connection, in order again
    s.expect(s.fetch("b", ada).value == "old", "b still serves what it held")
  end,
  expect = { violates = "every_node_hears", also = { "rows_converge", "values_converge" } },
}
