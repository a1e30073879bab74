-- A failed sync drops the pages that it was for (fsyncgate): a later one that succeeds does not bring them back, and a power
-- loss then takes from the middle. What is left is stale and never wrong; recovery_is_a_prefix is not judged there.
local function failing(name, journal, keeper)
  return scenario {
    name = name, journal = journal,
    about  = "Syncs fail and drop their pages, then the power goes: " .. keeper .. " may lose anything, and invents nothing.",
    source = "Rebello et al., Can Applications Recover from fsync Failures?, USENIX ATC 2020",
    nodes  = { "a", "b" },
    tables = { money = { kind = "WAL", lane = "job", ttl = "5s", names = 2 } },
    workload = { operations = 160, over = "60s", mix = { put = 6, fetch = 4, replay = 1, compact = 1 } },
    faults = {
      nodes = { crash = 0.1, power_loss = 0.6, down = { "10ms", "2s" } },
      disks = { sync_fail = 0.3, torn = 0.3 },
    },
  }
end

return {
  failing("failed_syncs_of_sqlite", "sqlite", "SQLite"),
  failing("failed_syncs_of_the_model", "model", "our log"),
}
