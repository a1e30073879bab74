-- A write that replaces no row as new as itself: compare and set, in one step (put_write and fill_write "newer_only").
-- KEYS[1] = the L2 row, KEYS[2] = its floor, KEYS[3] = the lease of its fills: the last two are there only where a drop
-- leaves floors and fills take leases. ARGV[1] = the frame, ARGV[2] = its life in ms.
-- Answers 1: written; or the row that stands; or 0: refused, and no row may stand in for it.

-- Byte by byte: `<` on strings follows the server's collation. What is missing comes first.
local function newer(incoming, stored)
  for place = 4, 14 do
    local left, right = string.byte(incoming, place) or -1, string.byte(stored, place) or -1
    if left ~= right then return left > right end
  end
  return false
end

-- Written or not, the name has a writer newer than any fill under way.
redis.call('DEL', KEYS[3])

local floor = redis.call('GET', KEYS[2])
if floor and newer(floor, ARGV[1]) then return 0 end

-- Equal is not newer: a repeated write neither changes the row nor lengthens its life. A frame too short for a version is
-- worth nothing. A row past its deadline is no row: what was newer is forgotten with it, unless a floor keeps it.
local cur = redis.call('GET', KEYS[1])
if cur and #cur >= 14 and not newer(ARGV[1], cur) then return cur end

redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
