-- The third branch: the message is strictly newer, the row goes.
return scenario {
  about  = "A newer version drops the row, whichever byte of its payload makes it newer.",
  source = "newer wins: the conditional drop, branch (3)",
  nodes  = { "a" },
  tables = { users = { kind = "USR", lane = "none", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    local stored = "USR0NgWEfAEJfs"
    for byte = 4, 14 do
      -- One digit higher at one place, and the lowest digit at every place behind it.
      local digit = stored:sub(byte, byte)
      local higher = digit == "9" and "A" or digit == "Z" and "a" or string.char(digit:byte() + 1)
      local newer = "AAA" .. stored:sub(4, byte - 1) .. higher .. ("0"):rep(14 - byte)
      s.valkey("SET", s.key(ada), stored .. "value", "PX", "5000")
      s.expect(s.drop_l2("a", ada, newer).outcome == "dropped", newer .. " is newer than " .. stored)
      s.expect(s.l2(ada) == nil, "the row is gone")
    end
  end,
}
