-- Failure mode A15; weak point 2 without a load.
return scenario {
  about  = "A node has asked L2 and is about to insert the answer. The message about a newer write comes by the other "
        .. "connection first, and finds no row in L1 to remove; then the answer, older than the message, is inserted for a "
        .. "whole ttl.",
  source = "valkey.io, client-side caching (two connections, and the placeholder against it); redis/lettuce#3481",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.put("writer", ada, "old")
    s.advance("1s")
    local flight = s.fetch("reader", ada, { stop_before = "l1.insert" })  -- L2 has answered "old"
    s.put("writer", ada, "new")
    s.advance("1s")                                                       -- the message is processed
    s.resume(flight)
    s.expect(s.l1("reader", ada).value == "old", "the answer comes behind the message")
  end,
  expect = { violates = "fills_respect_invalidations", also = { "rows_converge", "values_converge" } },
}
