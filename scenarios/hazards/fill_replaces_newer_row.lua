-- Weak point 3; failure mode A7.
return scenario {
  about  = "A fill that loaded before a write puts its older row over the newer one: SET asks nobody.",
  source = "Systems that cache aside; redis/redis#5917 (check and set in two commands)",
  nodes  = { "writer", "reader" },
  tables = { users = { kind = "USR", lane = "none", ttl = "5s", jitter = 0 } },
  steps  = function(s)
    local ada = s.name("users", 1)
    s.commit(ada, "old")
    local flight = s.fetch("reader", ada, { stop_before = "flight.set" })  -- it has loaded "old"
    s.put("writer", ada, "new")
    s.resume(flight)
    s.expect(s.l2(ada).value == "old", "L2 went back to the old value")
  end,
  expect = { violates = "l2_never_goes_back", also = { "rows_converge", "values_converge" } },
}
