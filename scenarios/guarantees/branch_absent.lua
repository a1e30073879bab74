-- The first branch of :coherence_drop: there is no row.
return scenario {
  about  = "A message about a row that is not there drops nothing and answers 0.",
  source = "newer wins: the conditional drop, branch (1)",
  nodes  = { "a" },
  tables = { users = { kind = "USR", lane = "none", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.expect(s.l2(ada) == nil, "the row is absent")
    local drop = s.drop_l2("a", ada, s.mint("a"))
    s.expect(drop.outcome == "kept", "the verdict is 0")
    s.expect(s.l2(ada) == nil, "the row is still absent")
  end,
}
