#include "sim/valkey/arguments.h"

#include <fmt/format.h>

#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "sim/valkey/integer_text.h"
#include "sim/valkey/keyspace.h"

namespace cohsim::valkey {

bool read_bounded(CommandCall& call, std::string_view text, std::int64_t least, std::int64_t most, std::int64_t& value,
                  std::string_view refusal) {
  const auto number = read_integer(text);
  if (number && *number >= least && *number <= most) {
    value = *number;
    return true;
  }
  if (!refusal.empty()) {
    call.reply.error(refusal);
  } else if (!number) {
    call.reply.error(errors::not_integer);
  } else {
    call.reply.error(
        call.reply.keep(fmt::format("ERR value is out of range, value must between {} and {}", least, most)));
  }
  return false;
}

bool read_database(CommandCall& call, std::string_view text, int& database) {
  using Limits = std::numeric_limits<std::int32_t>;
  std::int64_t number = 0;
  if (!read_bounded(call, text, Limits::min(), Limits::max(), number)) return false;
  if (number < 0 || number >= Keyspace::databases) {
    call.reply.error("ERR DB index is out of range");
    return false;
  }
  database = static_cast<int>(number);
  return true;
}

std::optional<long double> read_long_double(std::string_view text) {
  constexpr std::size_t longest = 5 * 1024;
  if (text.empty() || text.size() >= longest) return std::nullopt;
  if (std::isspace(static_cast<unsigned char>(text.front())) != 0) return std::nullopt;
  const std::string copy(text);
  char* end = nullptr;
  errno = 0;
  const long double value = std::strtold(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size() || std::isnan(value)) return std::nullopt;
  const bool lost = std::isinf(value) || std::fpclassify(value) == FP_ZERO;
  if (errno == EINVAL || (errno == ERANGE && lost)) return std::nullopt;
  return value;
}

std::string human_long_double(long double value) {
  constexpr std::size_t longest = 5 * 1024;
  std::string text(longest, '\0');
  text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.17Lf", value)));
  if (text.find('.') != std::string::npos) {
    text.resize(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

}  // namespace cohsim::valkey
