// The commands that take from the first of several keys that has something: LMPOP, ZMPOP and their blocking forms.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/valkey/commands/number_args.h"

namespace cohsim::valkey {

/// "numkeys key [key …] <one of two words> [COUNT count]".
struct ManyPop {
  std::span<const std::string_view> keys;
  bool second = false;      ///< the second word: RIGHT, MAX
  std::int64_t count = 1;
};

/// Reads it from `args[at]` on; false with the error written.
inline bool read_many_pop(CommandCall& call, std::size_t at, std::string_view first, std::string_view second,
                          ManyPop& pop) {
  const auto syntax = [&call] {
    call.reply.error(errors::syntax);
    return false;
  };
  std::int64_t keys = 0;
  if (!read_at_least(call, call.args[at], 1, "ERR numkeys should be greater than 0", keys)) return false;
  if (keys >= static_cast<std::int64_t>(call.args.size() - at - 1)) return syntax();
  pop.keys = call.args.subspan(at + 1, static_cast<std::size_t>(keys));
  std::span<const std::string_view> rest = call.args.subspan(at + 1 + pop.keys.size());
  pop.second = is_word(rest[0], second);
  if (!pop.second && !is_word(rest[0], first)) return syntax();
  rest = rest.subspan(1);
  if (rest.empty()) return true;
  if (!is_word(rest[0], "COUNT") || rest.size() < 2) return syntax();
  if (!read_at_least(call, rest[1], 1, "ERR count should be greater than 0", pop.count)) return false;
  return rest.size() == 2 || syntax();
}

}  // namespace cohsim::valkey
