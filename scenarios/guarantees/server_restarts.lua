local function script(keep)
  return function(s)
    local ada, gold = s.name("users", 1), s.name("money", 1)
    s.put("a", ada, "one")
    s.put("a", gold, "one")
    s.valkey_restart { keep = keep }
    s.advance("1s")
    s.expect((s.l2(ada) ~= nil) == keep, "rows are kept: " .. tostring(keep))
    s.put("b", ada, "two")
    s.settle()
    s.expect(s.l2(ada).value == "two", "writing goes on")
    s.expect(s.applied("a", gold) or s.applied("b", gold), "the journal brings back what the bus forgot")
  end
end

local nodes = { "a", "b" }
local tables = {
  users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 },
  money = { kind = "WAL", lane = "job", ttl = "60s", jitter = 0 },
}

return {
  scenario {
    name = "server_restarts_with_its_rows", nodes = nodes, tables = tables, steps = script(true),
    about = "The server restarts and keeps its rows; connections and the script cache are gone.",
  },
  scenario {
    name = "server_restarts_empty", nodes = nodes, tables = tables, steps = script(false),
    about = "The server restarts without its rows and queues: the journals replay what is owed.",
  },
}
