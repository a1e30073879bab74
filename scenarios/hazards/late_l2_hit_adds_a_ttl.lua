-- Weak point 12.
return scenario {
  about  = "A node that finds a row in L2 late in that row's life keeps it for a whole ttl of its own: a value that was "
        .. "superseded unheard is read for nearly twice the ttl, though everybody took the ttl for the bound.",
  source = "the design's own: an L2 hit enters L1 with a full fresh ttl, not with what the L2 row has left",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "none", ttl = "5s", jitter = 0 } },
  staleness_bound = "5100ms",                  -- the ttl, and what a read takes
  steps  = function(s)
    local ada = s.name("users", 1)
    s.put("writer", ada, "old")                -- lives in L2 for 5 s
    s.commit(ada, "new")                       -- written past the caches: nobody hears
    s.advance("4900ms")
    s.expect(s.fetch("reader", ada).outcome == "l2_hit", "the row in L2 is about to expire")
    s.advance("4900ms")
    s.expect(s.l2(ada) == nil, "it is long gone")
    s.expect(s.fetch("reader", ada).value == "old", "the reader still serves it, 9.8 s after it was superseded")
    s.advance("1s")                            -- until that expires, too
  end,
  expect = { violates = "staleness_bounded" },
}
