// What real servers have and this one does not: from COMMAND of redis-server 7.0.15, noscript as Valkey 8 has it.
#include <array>

#include "sim/valkey/command.h"

namespace cohsim::valkey {

namespace {

constexpr Command unsimulated(std::string_view name, int arity, int flags = flag_none) {
  return {name, arity, flags, {}, nullptr};
}

// clang-format off
constexpr std::array commands = {
    unsimulated("ACL", -2, flag_noscript), unsimulated("APPEND", 3, flag_write), unsimulated("ASKING", 1),
    unsimulated("AUTH", -2, flag_noscript), unsimulated("BGREWRITEAOF", 1, flag_noscript),
    unsimulated("BGSAVE", -1, flag_noscript), unsimulated("BITCOUNT", -2), unsimulated("BITFIELD", -2, flag_write),
    unsimulated("BITFIELD_RO", -2), unsimulated("BITOP", -4, flag_write), unsimulated("BITPOS", -3),
    unsimulated("CLIENT", -2, flag_noscript), unsimulated("CLUSTER", -2),
    unsimulated("COMMAND", -1), unsimulated("CONFIG", -2, flag_noscript), unsimulated("COPY", -3, flag_write),
    unsimulated("DBSIZE", 1), unsimulated("DEBUG", -2, flag_noscript), unsimulated("DECR", 2, flag_write),
    unsimulated("DECRBY", 3, flag_write), unsimulated("DISCARD", 1, flag_noscript), unsimulated("DUMP", 2),
    unsimulated("EVAL_RO", -3, flag_noscript), unsimulated("EVALSHA_RO", -3, flag_noscript),
    unsimulated("EXEC", 1, flag_noscript), unsimulated("FAILOVER", -1, flag_noscript),
    unsimulated("FCALL", -3, flag_noscript), unsimulated("FCALL_RO", -3, flag_noscript),
    unsimulated("FLUSHDB", -1, flag_write), unsimulated("FUNCTION", -2, flag_noscript),
    unsimulated("GEOADD", -5, flag_write), unsimulated("GEODIST", -4), unsimulated("GEOHASH", -2),
    unsimulated("GEOPOS", -2), unsimulated("GEORADIUS", -6, flag_write), unsimulated("GEORADIUS_RO", -6),
    unsimulated("GEORADIUSBYMEMBER", -5, flag_write), unsimulated("GEORADIUSBYMEMBER_RO", -5),
    unsimulated("GEOSEARCH", -7), unsimulated("GEOSEARCHSTORE", -8, flag_write), unsimulated("GETBIT", 3),
    unsimulated("GETEX", -2, flag_write), unsimulated("GETRANGE", 4), unsimulated("GETSET", 3, flag_write),
    unsimulated("HDEL", -3, flag_write), unsimulated("HELLO", -1, flag_noscript), unsimulated("HEXISTS", 3),
    unsimulated("HGET", 3), unsimulated("HGETALL", 2), unsimulated("HINCRBY", 4, flag_write),
    unsimulated("HINCRBYFLOAT", 4, flag_write), unsimulated("HKEYS", 2), unsimulated("HLEN", 2),
    unsimulated("HMGET", -3), unsimulated("HMSET", -4, flag_write), unsimulated("HRANDFIELD", -2),
    unsimulated("HSCAN", -3), unsimulated("HSET", -4, flag_write), unsimulated("HSETNX", 4, flag_write),
    unsimulated("HSTRLEN", 3), unsimulated("HVALS", 2), unsimulated("INCR", 2, flag_write),
    unsimulated("INCRBY", 3, flag_write), unsimulated("INCRBYFLOAT", 3, flag_write), unsimulated("INFO", -1),
    unsimulated("LASTSAVE", 1), unsimulated("LATENCY", -2, flag_noscript), unsimulated("LCS", -3),
    unsimulated("LOLWUT", -1),
    unsimulated("MEMORY", -2),
    unsimulated("MGET", -2), unsimulated("MIGRATE", -6, flag_write), unsimulated("MODULE", -2, flag_noscript),
    unsimulated("MONITOR", 1, flag_noscript), unsimulated("MOVE", 3, flag_write), unsimulated("MSET", -3, flag_write),
    unsimulated("MSETNX", -3, flag_write), unsimulated("MULTI", 1, flag_noscript), unsimulated("OBJECT", -2),
    unsimulated("PFADD", -2, flag_write), unsimulated("PFCOUNT", -2), unsimulated("PFDEBUG", 3, flag_write),
    unsimulated("PFMERGE", -2, flag_write), unsimulated("PFSELFTEST", 1), unsimulated("PSETEX", 4, flag_write),
    unsimulated("PSUBSCRIBE", -2, flag_noscript | flag_in_subscribed), unsimulated("PSYNC", -3, flag_noscript | flag_no_multi),
    unsimulated("PUBSUB", -2), unsimulated("PUNSUBSCRIBE", -1, flag_noscript | flag_in_subscribed),
    unsimulated("QUIT", -1, flag_noscript | flag_in_subscribed), unsimulated("RANDOMKEY", 1),
    unsimulated("READONLY", 1), unsimulated("READWRITE", 1), unsimulated("RENAME", 3, flag_write),
    unsimulated("RENAMENX", 3, flag_write), unsimulated("REPLCONF", -1, flag_noscript),
    unsimulated("REPLICAOF", 3, flag_noscript), unsimulated("RESET", 1, flag_noscript | flag_in_subscribed),
    unsimulated("RESTORE-ASKING", -4, flag_write), unsimulated("RESTORE", -4, flag_write),
    unsimulated("ROLE", 1, flag_noscript),
    unsimulated("SAVE", 1, flag_noscript | flag_no_multi),
    unsimulated("SCAN", -2), unsimulated("SDIFF", -2),
    unsimulated("SDIFFSTORE", -3, flag_write), unsimulated("SELECT", 2), unsimulated("SETBIT", 4, flag_write),
    unsimulated("SETEX", 4, flag_write), unsimulated("SETNX", 3, flag_write), unsimulated("SETRANGE", 4, flag_write),
    unsimulated("SHUTDOWN", -1, flag_noscript | flag_no_multi), unsimulated("SINTER", -2), unsimulated("SINTERCARD", -3),
    unsimulated("SINTERSTORE", -3, flag_write), unsimulated("SLAVEOF", 3, flag_noscript),
    unsimulated("SLOWLOG", -2),
    unsimulated("SORT", -2, flag_write), unsimulated("SORT_RO", -2),
    unsimulated("SPUBLISH", 3),
    unsimulated("SSCAN", -3),
    unsimulated("SSUBSCRIBE", -2, flag_noscript | flag_in_subscribed), unsimulated("STRLEN", 2),
    unsimulated("SUBSTR", 4), unsimulated("SUNION", -2), unsimulated("SUNIONSTORE", -3, flag_write),
    unsimulated("SUNSUBSCRIBE", -1, flag_noscript | flag_in_subscribed), unsimulated("SWAPDB", 3, flag_write),
    unsimulated("SYNC", 1, flag_noscript | flag_no_multi), unsimulated("TOUCH", -2), unsimulated("UNWATCH", 1, flag_noscript),
    unsimulated("WAIT", 3), unsimulated("WATCH", -2, flag_noscript), unsimulated("XACK", -4, flag_write),
    unsimulated("XADD", -5, flag_write), unsimulated("XAUTOCLAIM", -6, flag_write),
    unsimulated("XCLAIM", -6, flag_write), unsimulated("XDEL", -3, flag_write), unsimulated("XGROUP", -2),
    unsimulated("XINFO", -2), unsimulated("XLEN", 2), unsimulated("XPENDING", -3), unsimulated("XRANGE", -4),
    unsimulated("XREAD", -4), unsimulated("XREADGROUP", -7, flag_write), unsimulated("XREVRANGE", -4),
    unsimulated("XSETID", -3, flag_write), unsimulated("XTRIM", -4, flag_write),
    unsimulated("ZDIFF", -3),
    unsimulated("ZDIFFSTORE", -4, flag_write), unsimulated("ZINTER", -3),
    unsimulated("ZINTERCARD", -3), unsimulated("ZINTERSTORE", -4, flag_write),
    unsimulated("ZRANDMEMBER", -2),
    unsimulated("ZSCAN", -3), unsimulated("ZUNION", -3),
    unsimulated("ZUNIONSTORE", -4, flag_write),
};
// clang-format on

}  // namespace

std::span<const Command> unsimulated_commands() { return commands; }

}  // namespace cohsim::valkey
