-- Weak point 10; failure mode F1.
return scenario {
  about  = "A write is committed and stored, its intent recorded but not synced. The node loses power before it enqueues: the "
        .. "message exists nowhere any more, no replay brings it, and a reader keeps the old value for a whole ttl.",
  source = "sqlite.org, PRAGMA synchronous (WAL with NORMAL: durable across a crash of the process, may roll back on power loss)",
  nodes  = { "a", "b" },
  fanout = "per_node",
  tables = { money = { kind = "WAL", lane = "job", ttl = "5m", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.commit(gold, "write 0")
    local written = 0
    repeat                                     -- until the power loss takes the record, which it may or may not
      s.settle()
      s.fetch("b", gold)                       -- b holds what was written last
      s.advance("5ms")
      local recorded = #s.intents("a", "money")
      written = written + 1
      s.put("a", gold, "write " .. written, { stop_before = "journal.enqueue" })
      s.crash("a", "power")
      s.restart("a")
    until #s.intents("a", "money") == recorded
    s.settle()                                 -- every journal replays; none knows of the last write
    s.expect(s.l1("b", gold).value == "write " .. written - 1, "b has not heard of the last write")
  end,
  expect = { violates = "values_converge", also = { "rows_converge" } },
}
