-- the first digit of the payload is left out
-- violates: newer_message_drops
local cur = redis.call('GET', KEYS[1])
if not cur then return 0 end
if #cur < 14 then
  redis.call('DEL', KEYS[1])
  return 1
end
if string.sub(ARGV[1], 5, 14) > string.sub(cur, 5, 14) then
  redis.call('DEL', KEYS[1])
  return 1
end
return 0
