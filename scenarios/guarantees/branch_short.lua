-- The second branch: a frame shorter than a version cannot be trusted, and goes.
return scenario {
  about  = "A row shorter than 14 bytes is dropped, whatever version the message carries.",
  source = "newer wins: the conditional drop, branch (2)",
  nodes  = { "a" },
  tables = { users = { kind = "USR", lane = "none", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    local oldest = "USR00000000000"
    for length = 0, 13 do
      s.valkey("SET", s.key(ada), ("USRzzzzzzzzzzzzz"):sub(1, length), "PX", "5000")
      local drop = s.drop_l2("a", ada, oldest)
      s.expect(drop.outcome == "dropped", "a frame of " .. length .. " bytes is dropped")
      s.expect(s.l2(ada) == nil, "it is gone")
    end
    -- Fourteen bytes are a version with an empty value: comparable, and kept here.
    s.valkey("SET", s.key(ada), s.mint("a"), "PX", "5000")
    s.expect(s.drop_l2("a", ada, oldest).outcome == "kept", "a frame of 14 bytes is compared")
  end,
}
