-- :coherence_drop — KEYS[1] = the L2 row (ecc:{table}:id), ARGV[1] = the
-- incoming 14-byte version. One transition: read, compare, conditionally
-- delete. A late stale invalidation can NEVER erase a newer row.

local cur = redis.call('GET', KEYS[1])

-- (1) the row is already gone: nothing to drop.
if not cur then return 0 end

-- (2) a malformed frame (shorter than one version): it cannot be trusted
-- to carry a comparable version, so drop it and report a drop.
if #cur < 14 then
  redis.call('DEL', KEYS[1])
  return 1
end

-- (3) the comparison: the incoming version's 11-byte snowflake payload
-- (bytes 4..14 of ARGV[1]) against the stored frame's version payload
-- (bytes 4..14 of cur — the version is the frame's prefix). Lua's string
-- order on these Base62 bytes is mint order (the order theorem), so this is
-- exactly newer?/2 done server-side. Delete only when strictly newer.
if string.sub(ARGV[1], 4, 14) > string.sub(cur, 4, 14) then
  redis.call('DEL', KEYS[1])
  return 1
end

-- (4) the stored version is at least as new: leave the row untouched.
return 0
