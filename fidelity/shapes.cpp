#include "fidelity/shapes.h"

#include <array>

namespace cohsim::fidelity {

namespace {

constexpr auto table = std::to_array<Shape>({
    // Strings
    {"GET", "k"}, {"SET", "k v"}, {"SET", "k v ?NX|XX ?GET ?KEEPTTL|EX=t|PX=t|EX=i"}, {"SETNX", "k v"},
    {"SETEX", "k t v"}, {"PSETEX", "k t v"}, {"GETSET", "k v"}, {"GETDEL", "k"},
    {"GETEX", "k ?PERSIST|EX=t|PX=t|EX=i"}, {"MGET", "+k"}, {"MSET", "k v"}, {"MSET", "k v k v"},
    {"MSETNX", "k v k v"}, {"APPEND", "k v"}, {"STRLEN", "k"}, {"GETRANGE", "k i i"}, {"SUBSTR", "k i i"},
    {"SETRANGE", "k i v"}, {"INCR", "k"}, {"DECR", "k"}, {"INCRBY", "k i"}, {"DECRBY", "k i"}, {"INCRBYFLOAT", "k f"},
    {"LCS", "k k ?LEN|IDX"}, {"SETBIT", "k i i"}, {"GETBIT", "k i"}, {"BITCOUNT", "k"},
    // Keys
    {"DEL", "+k"}, {"UNLINK", "+k"}, {"EXISTS", "+k"}, {"TYPE", "k"}, {"TOUCH", "+k"}, {"KEYS", "p"}, {"DBSIZE", ""},
    {"RENAME", "k k"}, {"RENAMENX", "k k"}, {"COPY", "k k ?REPLACE ?DB=d"}, {"MOVE", "k d"}, {"SELECT", "d"},
    {"SWAPDB", "d d"}, {"RANDOMKEY", ""}, {"SCAN", "i ?MATCH=p ?COUNT=i ?TYPE=v"}, {"OBJECT ENCODING", "k"},
    {"OBJECT REFCOUNT", "k"}, {"EXPIRE", "k t ?NX|XX|GT|LT"}, {"PEXPIRE", "k t ?NX|XX|GT|LT"}, {"EXPIRE", "k i"},
    {"EXPIREAT", "k i"}, {"PEXPIREAT", "k i"}, {"TTL", "k"}, {"PTTL", "k"}, {"EXPIRETIME", "k"}, {"PEXPIRETIME", "k"},
    {"PERSIST", "k"}, {"FLUSHDB", ""}, {"FLUSHALL", "?SYNC"}, {"SORT", "k ?ALPHA ?DESC ?LIMIT=i"},
    // Lists
    {"LPUSH", "k +v"}, {"RPUSH", "k +v"}, {"LPUSHX", "k +v"}, {"RPUSHX", "k +v"}, {"LPOP", "k ?i"}, {"RPOP", "k ?i"},
    {"LLEN", "k"}, {"LRANGE", "k i i"}, {"LTRIM", "k i i"}, {"LREM", "k i v"}, {"LINDEX", "k i"}, {"LSET", "k i v"},
    {"LINSERT", "k BEFORE|AFTER v v"}, {"LPOS", "k v ?RANK=i ?COUNT=i ?MAXLEN=i"}, {"RPOPLPUSH", "k k"},
    {"LMOVE", "k k LEFT|RIGHT LEFT|RIGHT"}, {"LMPOP", "i k LEFT|RIGHT ?COUNT=i"},
    {"BLPOP", "+k b"}, {"BRPOP", "+k b"}, {"BLMOVE", "k k LEFT|RIGHT LEFT|RIGHT b"}, {"BRPOPLPUSH", "k k b"},
    {"BLMPOP", "b i k LEFT|RIGHT ?COUNT=i"},
    // Hashes
    {"HSET", "k m v"}, {"HSET", "k m v m v"}, {"HMSET", "k m v"}, {"HSETNX", "k m v"}, {"HGET", "k m"},
    {"HMGET", "k +m"}, {"HGETALL", "k"}, {"HDEL", "k +m"}, {"HEXISTS", "k m"}, {"HLEN", "k"}, {"HKEYS", "k"},
    {"HVALS", "k"}, {"HSTRLEN", "k m"}, {"HINCRBY", "k m i"}, {"HINCRBYFLOAT", "k m f"}, {"HRANDFIELD", "k ?i"},
    {"HSCAN", "k i ?MATCH=p ?COUNT=i"},
    // Sets
    {"SADD", "k +m"}, {"SREM", "k +m"}, {"SISMEMBER", "k m"}, {"SMISMEMBER", "k +m"}, {"SMEMBERS", "k"}, {"SCARD", "k"},
    {"SMOVE", "k k m"}, {"SINTER", "+k"}, {"SUNION", "+k"}, {"SDIFF", "+k"}, {"SINTERSTORE", "k +k"},
    {"SUNIONSTORE", "k +k"}, {"SDIFFSTORE", "k +k"}, {"SINTERCARD", "i +k ?LIMIT=i"}, {"SPOP", "k ?i"},
    {"SRANDMEMBER", "k ?i"}, {"SSCAN", "k i ?MATCH=p ?COUNT=i"},
    // Sorted sets
    {"ZADD", "k f m"}, {"ZADD", "k ?NX|XX ?GT|LT ?CH ?INCR f m"}, {"ZADD", "k f m f m"}, {"ZREM", "k +m"},
    {"ZSCORE", "k m"}, {"ZMSCORE", "k +m"}, {"ZCARD", "k"}, {"ZCOUNT", "k s s"}, {"ZLEXCOUNT", "k l l"},
    {"ZINCRBY", "k f m"}, {"ZRANK", "k m"}, {"ZREVRANK", "k m"}, {"ZRANGE", "k i i ?REV ?WITHSCORES"},
    {"ZRANGE", "k s s BYSCORE ?REV ?WITHSCORES"}, {"ZRANGE", "k l l BYLEX ?REV ?WITHSCORES"},
    {"ZRANGE", "k s s BYSCORE LIMIT i i"}, {"ZREVRANGE", "k i i ?WITHSCORES"}, {"ZRANGEBYSCORE", "k s s ?WITHSCORES"},
    {"ZRANGEBYSCORE", "k s s LIMIT i i"}, {"ZREVRANGEBYSCORE", "k s s ?WITHSCORES"}, {"ZRANGEBYLEX", "k l l"},
    {"ZREVRANGEBYLEX", "k l l"}, {"ZREMRANGEBYRANK", "k i i"}, {"ZREMRANGEBYSCORE", "k s s"},
    {"ZREMRANGEBYLEX", "k l l"}, {"ZPOPMIN", "k ?i"}, {"ZPOPMAX", "k ?i"}, {"ZSCAN", "k i ?MATCH=p ?COUNT=i"},
    {"ZRANDMEMBER", "k ?i"}, {"ZUNIONSTORE", "k i +k"}, {"ZINTERSTORE", "k i +k"}, {"ZRANGESTORE", "k k i i"},
    {"ZUNIONSTORE", "k 2 k k ?AGGREGATE=SUM|AGGREGATE=MIN|AGGREGATE=MAX"}, {"ZUNION", "2 k k WEIGHTS f f ?WITHSCORES"},
    {"ZINTER", "2 k k ?AGGREGATE=MIN|AGGREGATE=MAX ?WITHSCORES"}, {"ZDIFF", "2 k k ?WITHSCORES"}, {"ZDIFFSTORE", "k 2 k k"},
    {"ZINTERCARD", "2 k k ?LIMIT=i"},
    // Streams
    {"XADD", "k 1-1|2-1|3|5-* m v"}, {"XADD", "k ?NOMKSTREAM ?MAXLEN=i 4-1|6-*|9 m v ?m v"},
    {"XADD", "k MINID 3-0|6 7-*|8-1 m v"}, {"XLEN", "k"}, {"XRANGE", "k -|1|(1-1|i 9|5|(7 ?COUNT=i"},
    {"XREVRANGE", "k 9|6|i -|2 ?COUNT=i"}, {"XDEL", "k 1-1|5-0|i"}, {"XTRIM", "k MAXLEN|MINID i"},
    {"XREAD", "?COUNT=i STREAMS k 0|1-1|$|i"}, {"XREAD", "STREAMS k k 0|$ 0|2"},
    {"BZPOPMIN", "+k b"}, {"BZPOPMAX", "+k b"}, {"ZMPOP", "i k MIN|MAX ?COUNT=i"}, {"BZMPOP", "b i k MIN|MAX ?COUNT=i"},
    // Scripts, channels, connections
    {"EVAL", "a i ?a"}, {"EVALSHA", "v i ?k"}, {"EVAL_RO", "a i"}, {"SCRIPT LOAD", "a"}, {"SCRIPT EXISTS", "+v"},
    {"SCRIPT FLUSH", "?SYNC|ASYNC"}, {"SCRIPT KILL", ""}, {"SCRIPT HELP", ""}, {"EVALSHA_RO", "v i ?k"},
    {"FCALL", "v i ?k"}, {"FCALL_RO", "v i ?k"}, {"FUNCTION LOAD", "?REPLACE v"}, {"FUNCTION DELETE", "v"},
    {"FUNCTION KILL", ""}, {"FUNCTION FLUSH", "?SYNC|ASYNC"}, {"FUNCTION HELP", ""},
    {"SUBSCRIBE", "+c"}, {"UNSUBSCRIBE", "?c"}, {"PSUBSCRIBE", "+p"}, {"PUNSUBSCRIBE", "?p"}, {"PUBLISH", "c v"},
    {"PUBSUB CHANNELS", "?p"}, {"PUBSUB NUMSUB", "?c"}, {"PUBSUB NUMPAT", ""}, {"MULTI", ""}, {"EXEC", ""},
    {"EXEC", ""}, {"DISCARD", ""}, {"WATCH", "+k"}, {"UNWATCH", ""}, {"PING", "?v"}, {"ECHO", "v"}, {"HELLO", "?2|3"},
    {"RESET", ""}, {"CLIENT GETNAME", ""}, {"CLIENT SETNAME", "v"}, {"CLIENT REPLY", "ON|OFF|SKIP"},
    {"CONFIG GET", "p"}, {"WAIT", "0 0"}, {"TIME", ""}, {"LASTSAVE", ""},
    {"SSUBSCRIBE", "+c"}, {"SUNSUBSCRIBE", "?c"}, {"SPUBLISH", "c v"}, {"PUBSUB SHARDCHANNELS", "?p"},
    {"PUBSUB SHARDNUMSUB", "?c"}, {"CLIENT TRACKING", "ON|OFF ?BCAST ?OPTIN|OPTOUT ?NOLOOP"},
    {"CLIENT CACHING", "YES|NO"}, {"CLIENT NO-EVICT", "ON|OFF"}, {"CLIENT UNPAUSE", ""}, {"AUTH", "v ?v"},
    {"READONLY", ""}, {"READWRITE", ""}, {"COMMAND COUNT", ""}, {"OBJECT FREQ", "k"}, {"OBJECT HELP", ""},
});

}  // namespace

std::span<const Shape> shapes() { return table; }

}  // namespace cohsim::fidelity
