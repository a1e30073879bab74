// Arguments as commands read them (object.c, util.c): option words, numbers with their errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/valkey/command.h"

namespace cohsim::valkey {

/// An option's word is a C string there: it ends at the first NUL, and the case does not count.
[[nodiscard]] inline bool is_option(std::string_view text, std::string_view upper_case_word) {
  return is_word(text.substr(0, text.find('\0')), upper_case_word);
}

/// An integer between two bounds. False with the error written: `refusal` (code included), or where that is empty what
/// the server says of no integer and of one out of range.
bool read_bounded(CommandCall& call, std::string_view text, std::int64_t least, std::int64_t most, std::int64_t& value,
                  std::string_view refusal = {});
/// The number of a database; false with the error written.
bool read_database(CommandCall& call, std::string_view text, int& database);

/// A number as INCRBYFLOAT takes it: what strtold reads to the end, infinities included; no blanks before it, no NaN.
[[nodiscard]] std::optional<long double> read_long_double(std::string_view text);
/// How the server spells it for people: 17 decimals, without the zeros at their end, never an exponent.
[[nodiscard]] std::string human_long_double(long double value);

}  // namespace cohsim::valkey
