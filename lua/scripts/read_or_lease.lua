-- A flight's read where fills take leases. KEYS[1] = the L2 row, KEYS[2] = the lease of its fills, ARGV[1] = a token that
-- nobody used before, ARGV[2] = the lease's life in ms. Answers the row; or, where there is none, { token }.
local cur = redis.call('GET', KEYS[1])
if cur then return cur end

-- A lease that stands is shared: nothing was written or invalidated since it was given out, so it is as good for a later
-- reader. The first fill takes it away.
local held = redis.call('GET', KEYS[2])
if held then return { held } end

redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return { ARGV[1] }
