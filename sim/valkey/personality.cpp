#include "sim/valkey/personality.h"

#include <array>

namespace cohsim::valkey {

namespace {

constexpr std::array table = {
    Personality{
        .name = "valkey-8",
        .server = "valkey",
        .version = "8.0.1",
        .dialect = lua::Dialect::valkey8,
        .no_script = "NOSCRIPT No matching script.",
        .unknown_in_script = "ERR Unknown command called from script",
        .arity_in_script = "ERR Wrong number of args calling command from script",
        .busy = "BUSY Valkey is busy running a script.",
        .tracks_declared_keys = false,
        .ticks_in_scripts = false,
        .hello_login = "HELLO <proto> AUTH <user> <pass>",
        .keeps_expired_set = false,
        .refuses_stray_unsubscribe = true,
        .bounds_evaluated_scripts = true,
        .blocks_in_scripts_error = false,
        .counts_hash_arguments = true,
        .has_hscan_novalues = true,
        .has_list_listpack = true,
        .reads_cursor_strictly = true,
        .pushes_to_self_first = false,
        .has_valkey_config = true,
        .has_rank_score = true,
        .shortest_scores = true,
        .takes_smallest_rank = false,
        .retries_all_keys = true,
        .timeout_wraps = false,
        .timeout_overflow = "ERR timeout is out of range",
        .reads_bit_range_first = true,
        .has_set_listpack = true,
    },
    Personality{
        .name = "redis-7.0",
        .server = "redis",
        .version = "7.0.15",
        .dialect = lua::Dialect::redis7,
        .no_script = "NOSCRIPT No matching script. Please use EVAL.",
        .unknown_in_script = "ERR Unknown Redis command called from script",
        .arity_in_script = "ERR Wrong number of args calling Redis command from script",
        .busy = "BUSY Redis is busy running a script.",
        .tracks_declared_keys = true,
        .ticks_in_scripts = true,
        .hello_login = "HELLO AUTH <user> <pass>",
        .keeps_expired_set = true,
        .refuses_stray_unsubscribe = false,
        .bounds_evaluated_scripts = false,
        .blocks_in_scripts_error = true,
        .counts_hash_arguments = false,
        .has_hscan_novalues = false,
        .has_list_listpack = false,
        .reads_cursor_strictly = false,
        .pushes_to_self_first = true,
        .has_valkey_config = false,
        .has_rank_score = false,
        .shortest_scores = false,
        .takes_smallest_rank = true,
        .retries_all_keys = false,
        .timeout_wraps = true,
        .timeout_overflow = "ERR timeout is negative",
        .reads_bit_range_first = false,
        .has_set_listpack = false,
    },
};

}  // namespace

const Personality& valkey_8() { return table[0]; }
const Personality& redis_7_0() { return table[1]; }
std::span<const Personality> personalities() { return table; }

const Personality* find_personality(std::string_view name) {
  for (const Personality& personality : table) {
    if (personality.name == name) return &personality;
  }
  return nullptr;
}

}  // namespace cohsim::valkey
