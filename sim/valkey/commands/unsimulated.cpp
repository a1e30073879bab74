// What real servers have and this one does not: from COMMAND of redis-server 7.0.15, noscript as Valkey 8 has it.
#include <array>

#include "sim/valkey/command.h"
#include "sim/valkey/commands/help.h"

namespace cohsim::valkey {

namespace {

constexpr Command unsimulated(std::string_view name, int arity, int flags = flag_none) {
  return {name, arity, flags, {}, nullptr};
}

// Subcommands stand here so that the server's refusals can name them.
constexpr std::array module = {
    Command{"MODULE|HELP", 2, flag_none, no_keys, run_container_help}, unsimulated("MODULE|LIST", 2, flag_noscript),
    unsimulated("MODULE|LOAD", -3, flag_noscript), unsimulated("MODULE|LOADEX", -3, flag_noscript),
    unsimulated("MODULE|UNLOAD", 3, flag_noscript),
};
constexpr std::array xgroup = {
    unsimulated("XGROUP|CREATE", -5, flag_write | flag_denyoom),
    unsimulated("XGROUP|CREATECONSUMER", 5, flag_write | flag_denyoom),
    unsimulated("XGROUP|DELCONSUMER", 5, flag_write), unsimulated("XGROUP|DESTROY", 4, flag_write),
    Command{"XGROUP|HELP", 2, flag_none, no_keys, run_container_help}, unsimulated("XGROUP|SETID", -5, flag_write),
};
constexpr std::array xinfo = {
    unsimulated("XINFO|CONSUMERS", 4), unsimulated("XINFO|GROUPS", 3), Command{"XINFO|HELP", 2, flag_none, no_keys, run_container_help},
    unsimulated("XINFO|STREAM", -3),
};

// clang-format off
constexpr std::array commands = {
    unsimulated("BGREWRITEAOF", 1, flag_noscript), unsimulated("BGSAVE", -1, flag_noscript),
    unsimulated("BITFIELD", -2, flag_write), unsimulated("BITFIELD_RO", -2), unsimulated("BITOP", -4, flag_write),
    unsimulated("BITPOS", -3), unsimulated("DUMP", 2), unsimulated("FAILOVER", -1, flag_noscript),
    unsimulated("GEOADD", -5, flag_write), unsimulated("GEODIST", -4), unsimulated("GEOHASH", -2),
    unsimulated("GEOPOS", -2), unsimulated("GEORADIUS", -6, flag_write), unsimulated("GEORADIUS_RO", -6),
    unsimulated("GEORADIUSBYMEMBER", -5, flag_write), unsimulated("GEORADIUSBYMEMBER_RO", -5),
    unsimulated("GEOSEARCH", -7), unsimulated("GEOSEARCHSTORE", -8, flag_write), unsimulated("LOLWUT", -1),
    unsimulated("MIGRATE", -6, flag_write), Command{"MODULE", -2, flag_none, no_keys, nullptr, module},
    unsimulated("MONITOR", 1, flag_noscript), unsimulated("PFADD", -2, flag_write), unsimulated("PFCOUNT", -2),
    unsimulated("PFDEBUG", 3, flag_write), unsimulated("PFMERGE", -2, flag_write), unsimulated("PFSELFTEST", 1),
    unsimulated("PSYNC", -3, flag_noscript | flag_no_multi),
    unsimulated("REPLCONF", -1, flag_noscript | flag_allow_busy), unsimulated("REPLICAOF", 3, flag_noscript),
    unsimulated("RESTORE-ASKING", -4, flag_write), unsimulated("RESTORE", -4, flag_write),
    unsimulated("SAVE", 1, flag_noscript | flag_no_multi),
    unsimulated("SHUTDOWN", -1, flag_noscript | flag_no_multi | flag_allow_busy),
    unsimulated("SLAVEOF", 3, flag_noscript), unsimulated("SORT", -2, flag_write), unsimulated("SORT_RO", -2),
    unsimulated("SYNC", 1, flag_noscript | flag_no_multi), unsimulated("XACK", -4, flag_write),
    unsimulated("XAUTOCLAIM", -6, flag_write), unsimulated("XCLAIM", -6, flag_write),
    Command{"XGROUP", -2, flag_none, no_keys, nullptr, xgroup},
    Command{"XINFO", -2, flag_none, no_keys, nullptr, xinfo}, unsimulated("XPENDING", -3),
    unsimulated("XREADGROUP", -7, flag_write), unsimulated("XSETID", -3, flag_write),
};
// clang-format on

}  // namespace

std::span<const Command> unsimulated_commands() { return commands; }

}  // namespace cohsim::valkey
