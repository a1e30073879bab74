// Numbers among the arguments of commands on collections, with the servers' errors; places counted from either end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "sim/valkey/command.h"
#include "sim/valkey/integer_text.h"

namespace cohsim::valkey {

/// False, with the error written, where the text is no integer.
inline bool read_number(CommandCall& call, std::string_view text, std::int64_t& value) {
  const auto number = read_integer(text);
  if (!number) {
    call.reply.error(errors::not_integer);
    return false;
  }
  value = *number;
  return true;
}

/// False, with `refusal` written, where the text is no integer or a lower one.
inline bool read_at_least(CommandCall& call, std::string_view text, std::int64_t least, std::string_view refusal,
                          std::int64_t& value) {
  const auto number = read_integer(text);
  if (!number || *number < least) {
    call.reply.error(refusal);
    return false;
  }
  value = *number;
  return true;
}

/// False, with the error written, for what is no integer and for the one that has no positive counterpart.
inline bool read_reversible(CommandCall& call, std::string_view text, std::int64_t& value) {
  if (!read_number(call, text, value)) return false;
  if (value != std::numeric_limits<std::int64_t>::min()) return true;
  call.reply.error("ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807");
  return false;
}

struct Stretch {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The places from `start` to `stop`, both included, negative ones counted from the end, as far as they exist.
inline Stretch stretch_of(std::int64_t start, std::int64_t stop, std::size_t size) {
  const auto length = static_cast<std::int64_t>(size);
  if (start < 0) start = start < -length ? 0 : start + length;
  if (stop < 0) stop = stop < -length ? -1 : stop + length;
  if (start > stop || start >= length) return {};
  stop = std::min(stop, length - 1);
  return {static_cast<std::size_t>(start), static_cast<std::size_t>(stop - start + 1)};
}

/// The place at an index, which may be negative.
inline std::optional<std::size_t> place_of(std::int64_t index, std::size_t size) {
  const auto length = static_cast<std::int64_t>(size);
  if (index < -length || index >= length) return std::nullopt;
  return static_cast<std::size_t>(index < 0 ? index + length : index);
}

}  // namespace cohsim::valkey
