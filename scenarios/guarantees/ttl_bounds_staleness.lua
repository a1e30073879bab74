-- Here for `cohsim power`: the random one that sees frames cut in the wrong place.
return scenario {
  about  = "Half of all messages are lost and writers die: a read is stale for one ttl in L2 and one in L1 at most, and no "
        .. "frame is mixed up.",
  nodes  = { "a", "b", "c" },
  fill_version = "source",                     -- a fill shows the write that its loader saw, under that write's version
  tables = {
    users = { kind = "USR", lane = "broadcast", ttl = "2s", names = 3 },
    money = { kind = "WAL", lane = "job", ttl = "3s", names = 2 },
  },
  workload = { operations = 200, over = "40s", mix = { put = 1, fetch = 9, invalidate = 1 } },
  faults = {
    messages = { drop = 0.5, delay = { "1ms", "500ms" } },
    nodes    = { crash = 0.5 },                -- between the source's commit and L2: the row there is old until its ttl
  },
  check = { "staleness_bounded", "frames_are_authentic" },
}
