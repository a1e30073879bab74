-- A fill that holds a lease: written only while the lease stands. Every put, invalidation and drop of the name deletes the
-- lease; so do its end of life, an eviction and a server that forgets: each of them refuses the fill, none lets it pass.
-- KEYS[1] = the L2 row, KEYS[2] = the lease, ARGV[1] = the frame, ARGV[2] = its life in ms, ARGV[3] = the token.
-- Answers 1: written; or the row that stands; or 0: refused, and there is no row.
if redis.call('GET', KEYS[2]) ~= ARGV[3] then
  local cur = redis.call('GET', KEYS[1])
  if cur and #cur >= 14 then return cur end
  return 0
end
redis.call('DEL', KEYS[2])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
