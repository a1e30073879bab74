-- Weak point 13.
return scenario {
  about  = "The queue of a table is shared, and a job of it wakes one consumer: the other nodes' L1 rows stay for a whole ttl.",
  source = "the design's own: one queue a table, and each job is claimed once",
  nodes  = { "a", "b", "c", "d", "e", "f" },
  tables = { money = { kind = "WAL", lane = "job", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.put("a", gold, "old")
    s.settle()
    local readers = { "b", "c", "d", "e", "f" }
    for _, reader in ipairs(readers) do s.fetch(reader, gold) end
    s.put("a", gold, "new")                    -- one node hears of it; each replay reaches at most one more
    s.settle()
    local stale = 0
    for _, reader in ipairs(readers) do
      local row = s.l1(reader, gold)
      if row and row.value == "old" then stale = stale + 1 end
    end
    s.expect(stale >= 2, "most readers still serve the old value")
  end,
  expect = { violates = "rows_converge", also = { "values_converge", "every_node_hears" } },
}
