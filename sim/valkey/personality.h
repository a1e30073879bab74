// Which server the fake is: everything that differs between them, in one table.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "lua/dialect.h"

namespace cohsim::valkey {

/// One real server's ways, where they differ from the other's. Facts were observed on redis-server 7.0.15 (Debian) and
/// Valkey 8.0.1.
struct Personality {
  std::string_view name;    ///< as `--emulate` takes it
  std::string_view server;  ///< HELLO's and INFO's "server"
  std::string_view version;
  lua::Dialect dialect;                ///< what differs inside of scripts
  std::string_view no_script;          ///< the error of an unknown SHA1
  std::string_view unknown_in_script;  ///< errors of `call`: a command that does not exist,
  std::string_view arity_in_script;    ///< and one with a wrong number of arguments
  std::string_view busy;         ///< how the error begins that others get while a script is slow
  bool tracks_declared_keys;     ///< a script's reads are tracked by the keys that EVAL declares (else: by those they name)
  bool ticks_in_scripts;         ///< TIME and deadlines go by the clock inside of a script (else: it stands still)
  std::string_view hello_login;  ///< HELLO's own words for itself with AUTH, in the error without it
  bool keeps_expired_set;          ///< SET with a deadline in the past stores a row that is gone at once (else: never)
  bool refuses_stray_unsubscribe;  ///< UNSUBSCRIBE outside of subscribed mode is an error (8.0.0 and 8.0.1 only)
  bool bounds_evaluated_scripts;   ///< at most 500 scripts that came by EVAL
  bool blocks_in_scripts_error;    ///< a blocking command in a script is an error (else: answers at once)
  bool counts_hash_arguments;   ///< HSET of more pairs than a listpack takes makes a hashtable, even of few fields
  bool has_hscan_novalues;
  bool has_list_listpack;       ///< small lists are listpacks (else: every list is a quicklist)
  bool reads_cursor_strictly;   ///< SCAN takes digits (else: what strtoul takes)
  bool pushes_to_self_first;       ///< what a command pushes to its own client comes before its reply (else: behind)
  bool has_valkey_config;          ///< CONFIG knows locale-collate, CLIENT SETINFO and what else came with 7.2 and 8
  bool has_rank_score;           ///< ZRANK and ZREVRANK take WITHSCORE
  bool shortest_scores;          ///< scores are spelt as short as they read back (else: %.17g)
  bool takes_smallest_rank;      ///< LPOS with the smallest integer there is (its negative does not exist)
  bool retries_all_keys;         ///< a blocked command is tried again as a whole (else: with the key that came)
  bool timeout_wraps;                 ///< a blocking command's deadline may wrap around 64 bits: it waits for ever
  std::string_view timeout_overflow;  ///< the error of a timeout beyond 64 bits of milliseconds
  bool reads_bit_range_first;      ///< BITCOUNT judges its range before it looks for the key, and may lack the end
  bool has_set_listpack;           ///< small sets of any strings keep the order of insertion
};

[[nodiscard]] const Personality& valkey_8();
[[nodiscard]] const Personality& redis_7_0();
/// By `name`; null where there is none.
[[nodiscard]] const Personality* find_personality(std::string_view name);
[[nodiscard]] std::span<const Personality> personalities();

}  // namespace cohsim::valkey
