-- intend_and_enqueue is record → enqueue → mark. A crash can fall between any two, and what was recorded gets through,
-- whatever keeps the journal.
local function crash_before(name, point, applied, intents, about, journal)
  return scenario {
    name = name, about = about, journal = journal,
    nodes = { "a", "b" }, tables = { money = { kind = "WAL", lane = "job", ttl = "5s", jitter = 0 } },
    steps = function(s)
      local gold = s.name("money", 1)
      local op = s.put("a", gold, "one", { stop_before = point })
      s.expect(op.stopped_before == point, "the write waits before " .. point)
      s.crash("a", "process")
      s.restart("a")
      s.expect(#s.intents("a", "money") == intents, "the journal holds " .. intents .. " intents")
      s.settle()
      local somewhere = s.applied("a", gold) or s.applied("b", gold)
      s.expect((somewhere ~= nil) == applied, "the intent was applied: " .. tostring(applied))
    end,
  }
end

local windows = {
  { "crash_before_record", "journal.record", false, 0,
    "A crash before the intent is recorded: nothing is owed, and nothing is invented." },
  { "crash_between_record_and_enqueue", "journal.enqueue", true, 1,
    "A crash between record and enqueue: the restarted node replays the intent." },
  { "crash_between_enqueue_and_mark", "journal.mark", true, 1,
    "A crash between enqueue and mark: the replay enqueues the same job id, and the bus refuses the double." },
}
local all = {}
for _, engine in ipairs { "model", "sqlite" } do
  for _, w in ipairs(windows) do
    local name = engine == "model" and w[1] or w[1] .. "_sqlite"
    all[#all + 1] = crash_before(name, w[2], w[3], w[4], w[5], engine)
  end
end
return all
