-- Of the loader's faults: the source of truth has replicas too.
return scenario {
  about  = "The message has dropped the row everywhere, and then a loader reads a replica of the source that lags: the old value "
        .. "comes back, for a whole ttl and with a version that no message is owed for.",
  source = "Nishtala et al., Scaling Memcache at Facebook, NSDI 2013 (remote markers, section 5)",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "5s", jitter = 0 } },
  steps  = function(s)
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
    s.expect(s.l1("reader", ada).value == "old", "the reader has the old value again")
  end,
  expect = { violates = "values_converge", also = { "rows_converge", "mint_order_is_write_order", "frames_are_authentic" } },
}
