-- a frame of 13 bytes is taken for a version
-- violates: newer_message_drops
local cur = redis.call('GET', KEYS[1])
if not cur then return 0 end
if #cur < 13 then
  redis.call('DEL', KEYS[1])
  return 1
end
if string.sub(ARGV[1], 4, 14) > string.sub(cur, 4, 14) then
  redis.call('DEL', KEYS[1])
  return 1
end
return 0
