-- Failure mode A10.
return scenario {
  about  = "A writer announces before its transaction commits: a reader drops its row, loads the old value again under a "
        .. "version newer than the write's, and keeps it for a whole ttl. The one message that could have removed it is spent.",
  source = "Suor/django-cacheops#22, #228 (invalidated inside a transaction)",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    s.fetch("reader", ada)
    s.advance("5ms")
    local write = s.write("writer", ada, "new")
    write.mint()
    write.announce()                           -- the transaction is open
    s.advance("1s")
    s.expect(s.l1("reader", ada) == nil, "the reader has dropped its row")
    s.fetch("reader", ada)                     -- and loads what is committed: the old value
    write.commit()
    write.table_put()
    s.advance("1s")
    s.expect(s.l1("reader", ada).value == "old", "nothing tells it of the commit")
  end,
  expect = { violates = "values_converge", also = { "frames_are_authentic", "l2_never_goes_back" } },
}
