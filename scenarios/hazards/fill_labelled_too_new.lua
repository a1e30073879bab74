-- Weak point 4; failure mode A4.
return scenario {
  about  = "A fill's version is minted as it starts, newer than a write that its loader did not see: that write's message is "
        .. "judged stale, and the old value stays in L1.",
  source = "tigrisdata/tag#97 (the guard is stamped apart from the read)",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    s.advance("2ms")
    local write = s.write("writer", ada, "new")
    write.mint()
    local flight = s.fetch("reader", ada, { stop_before = "flight.set" })  -- begun after the mint; it has loaded "old"
    write.commit()
    s.resume(flight)
    write.table_put()
    write.announce()
    s.settle()
    s.expect(s.l1("reader", ada).value == "old", "the reader keeps the old value for a whole ttl")
  end,
  expect = { violates = "frames_are_authentic", also = { "values_converge", "l2_never_goes_back" } },
}
