-- Weak point 1; failure mode C8.
return scenario {
  about   = "Under en_US.UTF-8 one message has two answers: L1 takes it for newer and drops the row, L2's script takes it for "
         .. "older and keeps it, and the next read brings the old row back.",
  source  = "redis/redis#11041, #11059; ioBroker/ioBroker.js-controller#3433",
  nodes   = { "a" },
  collate = "en_US.UTF-8",
  tables  = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps   = function(s)
    local ada = s.name("users", 1)
    s.valkey("SET", s.key(ada), "TXN0000000000Z" .. "old", "PX", "60000")
    s.fetch("a", ada)
    s.message { table = "users", name = ada, version = "TXN0000000000a" }  -- 'Z' is before 'a' in bytes, behind it here
    s.settle()
    s.expect(s.l1("a", ada) == nil, "L1 drops the older row")
    s.expect(s.l2(ada) ~= nil, "the script keeps it")
    s.fetch("a", ada)
    s.expect(s.l1("a", ada) ~= nil, "and it is back")
  end,
  expect = { violates = "comparators_agree", also = { "newer_message_drops" } },
}
