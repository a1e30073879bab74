-- An unconditional write where fills take leases: the row is set, and no fill that began before may follow it.
-- KEYS[1] = the L2 row, KEYS[2] = the lease of its fills, ARGV[1] = the frame, ARGV[2] = its life in ms. Answers 1.
redis.call('DEL', KEYS[2])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
