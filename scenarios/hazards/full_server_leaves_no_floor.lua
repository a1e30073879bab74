-- Failure mode D9, where the server refuses instead of evicting: a script is no transaction.
return scenario {
  about      = "A full server lets the drop's script delete and refuses the floor that it would leave: a fill that began "
            .. "earlier passes, as if there had been no drop.",
  source     = "valkey.io, EVAL and maxmemory: commands that take memory fail inside of a script, what ran before them stays",
  nodes      = { "writer", "reader" },
  fill_write = "newer_only",
  after_drop = "floor",
  tables     = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
  steps      = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    local flight = s.fetch("reader", ada, { stop_before = "flight.set" })  -- it has loaded "old", and takes its time
    s.server_full("2s")
    local write = s.write("writer", ada, "new")
    write.mint()
    write.commit()
    write.announce()
    s.advance("3s")                                                        -- there is memory again
    s.resume(flight)
    s.expect(s.l2(ada).value == "old", "the fill passes where the floor should be")
  end,
  expect     = { violates = "fills_respect_invalidations", also = { "rows_converge", "values_converge" } },
}
