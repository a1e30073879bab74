-- Failure mode A9, where the design is right: no layer keeps that a name does not exist.
return scenario {
  about  = "A reader asks for a name that does not exist, and is answered after it was created: the answer is old, the next is "
        .. "not.",
  source = "Systemorph/MeshWeaver#3980; open-metadata/OpenMetadata#28902 (\"not found\" cached behind a create)",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  loader = { latency = { "500ms", "500ms" } },
  steps  = function(s)
    local ada = s.name("users", 1)
    local creation = s.write("writer", ada, "created")
    creation.mint()
    s.expect(s.fetch("reader", ada).outcome == "absent", "there is no such name")
    s.expect(s.l1("reader", ada) == nil and s.l2(ada) == nil, "nobody notes that")
    creation.commit()                          -- its message is not even needed
    s.expect(s.fetch("reader", ada).value == "created", "the next read asks the source of truth again")
  end,
  check = { "values_converge", "rows_converge" },
}
