-- The fourth branch: the row is at least as new, and stays as it is.
return scenario {
  about  = "An older or equal version leaves the row, its value and its lifetime untouched, whatever its namespace.",
  source = "newer wins: the conditional drop, branch (4)",
  nodes  = { "a" },
  tables = { users = { kind = "USR", lane = "none", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    local stored = "USR0NgWEfAEJfs"
    for byte = 4, 14 do
      local digit = stored:sub(byte, byte)
      if digit ~= "0" then
        local lower = digit == "A" and "9" or digit == "a" and "Z" or string.char(digit:byte() - 1)
        local older = "ZZZ" .. stored:sub(4, byte - 1) .. lower .. ("z"):rep(14 - byte)
        s.valkey("SET", s.key(ada), stored .. "value\0and more", "PX", "5000")
        s.expect(s.drop_l2("a", ada, older).outcome == "kept", older .. " is older than " .. stored)
        s.expect(s.l2(ada).bytes == stored .. "value\0and more", "not a byte has changed")
        s.expect(s.valkey("PTTL", s.key(ada)) > 4000, "it lives on as long as before")
      end
    end
    s.expect(s.drop_l2("a", ada, "ZZZ" .. stored:sub(4)).outcome == "kept", "equal is not newer")
  end,
}
