-- The counterpart of hazards/one_node_hears_a_job.lua: the same schedule with a queue for each node.
return scenario {
  about  = "Held with `fanout = \"per_node\"`: a write has an intent and a job for every node, and every node drops its row.",
  nodes  = { "a", "b", "c", "d", "e", "f" },
  fanout = "per_node",
  tables = { money = { kind = "WAL", lane = "job", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local gold = s.name("money", 1)
    s.put("a", gold, "old")
    s.settle()
    local readers = { "b", "c", "d", "e", "f" }
    for _, reader in ipairs(readers) do s.fetch(reader, gold) end
    s.put("a", gold, "new")
    s.settle()
    for _, reader in ipairs(readers) do
      s.expect(s.l1(reader, gold) == nil, reader .. " has heard of it")
    end
  end,
  check = { "every_node_hears", "rows_converge", "values_converge" },
}
