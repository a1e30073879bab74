// Integers in commands' arguments (util.c: string2ll).
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cohsim::valkey {

/// A signed 64-bit integer in its only accepted spelling: no blanks, no '+', no leading zeros, no "-0".
[[nodiscard]] inline std::optional<std::int64_t> read_integer(std::string_view text) {
  if (text.empty() || text.size() > 20) return std::nullopt;
  const std::string_view digits = text.front() == '-' ? text.substr(1) : text;
  if (digits.empty() || (digits.front() == '0' && text.size() > 1)) return std::nullopt;
  std::int64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace cohsim::valkey
