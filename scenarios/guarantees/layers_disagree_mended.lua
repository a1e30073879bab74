-- The counterpart of hazards/layers_disagree.lua: the same schedule with a script that compares bytes, which no locale
-- changes; and under C, where the table, the script and both journals are one.
local function steps(s)
  local ada = s.name("users", 1)
  s.valkey("SET", s.key(ada), "TXN0000000000Z" .. "old", "PX", "60000")
  s.fetch("a", ada)
  s.message { table = "users", name = ada, version = "TXN0000000000a" }
  s.settle()
  s.expect(s.l1("a", ada) == nil, "L1 drops the older row")
  s.expect(s.l2(ada) == nil, "and so does the script")
end

local function under(name, locale)
  return scenario {
    name    = name,
    about   = "Held with `script = \"coherence_drop_bytes\"`: table and script give one message one answer under " .. locale .. ".",
    nodes   = { "a" },
    collate = locale,
    script  = "coherence_drop_bytes",
    tables  = { users = { kind = "USR", lane = "broadcast", ttl = "60s", jitter = 0 } },
    steps   = steps,
    check   = { "comparators_agree" },
  }
end

local function storm(name, journal)
  return scenario {
    name     = name,
    about    = "Held under `collate = \"C\"`: the table, the script and the journal (" .. journal .. ") order all versions alike, "
            .. "of any namespace.",
    nodes    = { "a", "b" },
    journal  = journal,
    fanout   = "per_node",
    version_kinds = { "USR", "TXN", "ZZZ" },
    tables   = { money = { kind = "WAL", lane = "job", ttl = "5s", names = 2 } },
    workload = { operations = 60, over = "30s", mix = { put = 6, fetch = 6, message = 3, replay = 2, compact = 2 } },
    faults   = { messages = { duplicate = 0.2, reorder = 0.2 }, nodes = { crash = 0.02, power_loss = 0.3 } },
    check    = { "comparators_agree" },
  }
end

return {
  under("layers_agree_under_c", "C"),
  under("layers_agree_under_en_us", "en_US.UTF-8"),
  storm("comparators_agree_on_model", "model"),
  storm("comparators_agree_on_sqlite", "sqlite"),
}
