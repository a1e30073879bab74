-- The counterpart of hazards/lagging_source_refills.lua: the same schedule with versions of the source, and floors.
return scenario {
  about        = "A fill carries the version that the source had for it: the floor that the drop left refuses what a lagging replica "
              .. "of the source still holds.",
  nodes        = { "writer", "reader" },
  fill_version = "source",
  fill_write   = "newer_only",
  after_drop   = "floor",
  tables       = { users = { kind = "USR", lane = "broadcast", ttl = "5s", jitter = 0 } },
  steps        = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    s.advance("1s")
    local write = s.write("writer", ada, "new")
    write.mint()
    write.commit()
    write.announce()
    s.advance("100ms")
    s.source_lag("500ms")                       -- loaders read a replica of the source
    s.fetch("reader", ada)
    s.expect(s.l1("reader", ada) == nil, "the old value is kept nowhere")
  end,
  check        = { "values_converge", "rows_converge" },
}
