-- Weak point 7; failure mode C3.
return scenario {
  about  = "Two live nodes mint with one node number: in one millisecond they mint one version for two writes.",
  source = "dotnetcore/CAP#1322; bwmarrin/snowflake#17; Meituan-Dianping/Leaf#98",
  nodes  = { "a", "b" },
  node_numbers = { 7, 7 },
  tables = { users = { kind = "USR", lane = "none", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    local first, second = s.write("a", ada, "first"), s.write("b", ada, "second")
    local minted = first.mint().version
    s.expect(second.mint().version == minted, "both writes carry one version")
  end,
  expect = { violates = "versions_are_unique" },
}
