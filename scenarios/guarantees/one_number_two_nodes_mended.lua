-- The counterpart of hazards/one_number_two_nodes.lua: the same schedule where each node has its own number.
return scenario {
  about  = "Held with a node number for each node (`node_numbers`): two nodes mint two versions in one millisecond, ordered by "
        .. "their numbers.",
  nodes  = { "a", "b" },
  node_numbers = { 7, 8 },
  tables = { users = { kind = "USR", lane = "none", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    local first, second = s.write("a", ada, "first"), s.write("b", ada, "second")
    local minted = first.mint().version
    s.expect(second.mint().version > minted, "the second version is the newer")
  end,
  check = { "versions_are_unique" },
}
