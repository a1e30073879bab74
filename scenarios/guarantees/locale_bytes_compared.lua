-- The counterpart of hazards/locale_collation.lua: the same schedule with a script that compares bytes, which no locale
-- changes. `cohsim explain locale_collation` says how to check and mend a server.
local function under(name, locale)
  return scenario {
    name    = name,
    about   = "Held with `script = \"coherence_drop_bytes\"`: versions compared byte by byte keep their order under "
           .. locale .. ".",
    nodes   = { "a" },
    collate = locale,
    script  = "coherence_drop_bytes",
    tables  = { users = { kind = "USR", lane = "none", jitter = 0 } },
    steps   = function(s)
      local ada = s.name("users", 1)
      s.valkey("SET", s.key(ada), "TXN0000000000a" .. "newer", "PX", "5000")
      s.expect(s.drop_l2("a", ada, "TXN0000000000Z").outcome == "kept", "the older version is refused")
      s.valkey("SET", s.key(ada), "TXN0000000000Z" .. "older", "PX", "5000")
      s.expect(s.drop_l2("a", ada, "TXN0000000000a").outcome == "dropped", "the newer version drops the row")
      s.expect(s.drop_l2("a", ada, "TXN0000000000a").outcome == "kept", "nothing is left to drop")
    end,
  }
end

return {
  under("locale_bytes_compared_under_c", "C"),
  under("locale_bytes_compared_under_en_us", "en_US.UTF-8"),
}
