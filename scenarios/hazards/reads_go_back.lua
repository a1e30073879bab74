-- Failure mode A7; weak point 3, seen by a reader.
return scenario {
  about  = "A node reads the new value, and after its L1 row has expired the old one: in between, another node's slow fill has "
        .. "put the old row back into L2.",
  source = "redis/redis#5917; strukto-ai/mirage#438 (check and set in two commands)",
  nodes  = { "writer", "slow", "reader" },
  tables = { users = { kind = "USR", lane = "none", ttl = "5s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    local flight = s.fetch("slow", ada, { stop_before = "flight.set" })  -- it has loaded "old"
    s.put("writer", ada, "new")
    s.expect(s.fetch("reader", ada).value == "new", "the reader sees the write")
    s.advance("1s")
    s.resume(flight)                                                     -- SET over the newer row
    s.advance("4500ms")                                                  -- the reader's row has expired
    s.expect(s.fetch("reader", ada).value == "old", "and sees what was before it")
  end,
  expect = { violates = "reads_are_monotonic", also = { "l2_never_goes_back", "rows_converge", "values_converge" } },
}
