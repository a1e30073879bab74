-- intend_and_enqueue is record → enqueue → mark. A crash can fall between any two, and what was recorded gets through.
local function crash_before(point, applied, intents)
  return function(s)
    local gold = s.name("money", 1)
    local op = s.put("a", gold, "one", { stop_before = point })
    s.expect(op.stopped_before == point, "the write waits before " .. point)
    s.crash("a", "process")
    s.restart("a")
    s.expect(#s.intents("a", "money") == intents, "the journal holds " .. intents .. " intents")
    s.settle()
    local somewhere = s.applied("a", gold) or s.applied("b", gold)
    s.expect((somewhere ~= nil) == applied, "the intent was applied: " .. tostring(applied))
  end
end

local nodes = { "a", "b" }
local tables = { money = { kind = "WAL", lane = "job", ttl = "5s", jitter = 0 } }

return {
  scenario {
    name = "crash_before_record", nodes = nodes, tables = tables,
    about = "A crash before the intent is recorded: nothing is owed, and nothing is invented.",
    steps = crash_before("journal.record", false, 0),
  },
  scenario {
    name = "crash_between_record_and_enqueue", nodes = nodes, tables = tables,
    about = "A crash between record and enqueue: the restarted node replays the intent.",
    steps = crash_before("journal.enqueue", true, 1),
  },
  scenario {
    name = "crash_between_enqueue_and_mark", nodes = nodes, tables = tables,
    about = "A crash between enqueue and mark: the replay enqueues the same job id, and the bus refuses the double.",
    steps = crash_before("journal.mark", true, 1),
  },
}
