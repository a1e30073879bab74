-- Weak point 1; failure mode C8.
return scenario {
  about   = "A server under en_US.UTF-8 compares 'a' before 'Z': a stale message erases a newer row, a newer one is refused.",
  source  = "observed on redis-server 7.0.15 and on Valkey started with LC_ALL=en_US.UTF-8",
  nodes   = { "a" },
  collate = "en_US.UTF-8",
  tables  = { users = { kind = "USR", lane = "none", jitter = 0 } },
  steps   = function(s)
    local ada = s.name("users", 1)
    s.valkey("SET", s.key(ada), "TXN0000000000a" .. "newer", "PX", "5000")
    s.expect(s.drop_l2("a", ada, "TXN0000000000Z").outcome == "dropped", "the older version is taken for newer")
    s.valkey("SET", s.key(ada), "TXN0000000000Z" .. "older", "PX", "5000")
    s.expect(s.drop_l2("a", ada, "TXN0000000000a").outcome == "kept", "the newer version is refused")
  end,
  expect = { violates = "no_newer_row_erased", also = { "newer_message_drops" } },
}
