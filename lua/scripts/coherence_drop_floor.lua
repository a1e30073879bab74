-- :coherence_drop that leaves a floor: the newest version that any message of the name carried, for ARGV[2] ms. A write that
-- compares (write_newer.lua) does not go below it, also where there is no row to compare with.
-- KEYS[1] = the L2 row, KEYS[2] = its floor, ARGV[1] = the version, ARGV[2] = the floor's life in ms.

-- Whether bytes 4..14 of `incoming` come after those of `stored`; what is missing comes first. No locale changes it.
local function newer(incoming, stored)
  for place = 4, 14 do
    local left, right = string.byte(incoming, place) or -1, string.byte(stored, place) or -1
    if left ~= right then return left > right end
  end
  return false
end

-- Also where the row stands: it may be evicted before an older fill comes. A floor rises only, and is not renewed by a
-- message that it knows, so that the same call once more changes nothing.
local floor = redis.call('GET', KEYS[2])
if not floor or newer(ARGV[1], floor) then
  redis.call('SET', KEYS[2], string.sub(ARGV[1], 1, 14), 'PX', ARGV[2])
end

local cur = redis.call('GET', KEYS[1])
if not cur then return 0 end
if #cur < 14 or newer(ARGV[1], cur) then
  redis.call('DEL', KEYS[1])
  return 1
end
return 0
