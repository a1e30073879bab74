-- :coherence_drop where fills take leases: whatever the row, a fill that began before this message may not follow it.
-- KEYS[1] = the L2 row, KEYS[2] = the lease of its fills, ARGV[1] = the version.

-- Whether bytes 4..14 of `incoming` come after those of `stored`; what is missing comes first. No locale changes it.
local function newer(incoming, stored)
  for place = 4, 14 do
    local left, right = string.byte(incoming, place) or -1, string.byte(stored, place) or -1
    if left ~= right then return left > right end
  end
  return false
end

redis.call('DEL', KEYS[2])
local cur = redis.call('GET', KEYS[1])
if not cur then return 0 end
if #cur < 14 or newer(ARGV[1], cur) then
  redis.call('DEL', KEYS[1])
  return 1
end
return 0
