-- Reads, under everything that leaves them what they are promised. What is left out breaks each:
--
-- - `connections.reset`: a put's SET may run late, behind its broken connection, over a newer row or where that has expired;
-- - for the order of reads also clocks that stand apart, and whatever takes rows out of L2 (`valkey.evict`, an admin's
-- invalidate):   a slow fill then finds nothing that it could be compared with.
local tables = {
  users = { kind = "USR", lane = "broadcast", ttl = "1s", jitter = 0.1, names = 2, ring_capacity = 4 },
  money = { kind = "WAL", lane = "job", ttl = "1s", jitter = 0.1, names = 1 },
}
local messages = { drop = 0.3, duplicate = 0.1, reorder = 0.2, delay = { "1ms", "3s" } }
local nodes    = { crash = 0.03, power_loss = 0.3, down = { "10ms", "3s" } }

return {
  scenario {
    name     = "staleness_is_bounded",
    about    = "Held with today's settings where no connection breaks: whatever else fails, no read is staler than two ttls, "
            .. "the jitter and the longest flight.",
    nodes    = { "a", "b", "c" },
    tables   = tables,
    loader   = { latency = { "0ms", "300ms" } },
    workload = { operations = 200, over = "20s",
                 mix = { put = 3, fetch = 12, invalidate = 1, drop_l2 = 1, message = 1, replay = 1, compact = 1 } },
    faults   = {
      messages = messages,
      nodes    = nodes,
      clocks   = { offset = { "-2s", "2s" }, step = 0.05 },
      valkey   = { restart = 0.005, flush_scripts = 0.02, evict = 0.02 },
      handlers = { fail = 0.3 },
    },
    check    = { "staleness_bounded" },
  },
  scenario {
    name         = "reads_stay_in_order",
    about        = "Held with writes that compare and fills under the version that they loaded, where clocks agree and L2 loses"
                .. " no row: a node reads nothing older than what it has read, whatever becomes of messages, nodes and "
                .. "handlers.",
    nodes        = { "a", "b", "c" },
    fill_write   = "newer_only",
    fill_version = "source",
    put_write    = "newer_only",
    tables       = tables,
    loader       = { latency = { "0ms", "300ms" } },
    workload     = { operations = 200, over = "20s", mix = { put = 3, fetch = 12, replay = 1, compact = 1 } },
    faults       = { messages = messages, nodes = nodes, valkey = { flush_scripts = 0.02 }, handlers = { fail = 0.3 } },
    check        = { "reads_are_monotonic", "staleness_bounded" },
  },
}
