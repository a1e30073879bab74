#include "lua/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace cohsim::lua {

namespace {

/// number = digits × 10^exponent, digits without trailing zeros.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal shortest_decimal(double magnitude) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, std::chars_format::scientific);
  const std::string text(buffer.data(), end.ptr);
  const std::size_t mark = text.find('e');
  Decimal decimal;
  decimal.digits = text.substr(0, 1);
  if (mark > 2) decimal.digits += text.substr(2, mark - 2);
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0') decimal.digits.pop_back();
  decimal.exponent = std::atoi(text.c_str() + mark + 1) - static_cast<int>(decimal.digits.size()) + 1;
  return decimal;
}

std::string with_exponent(const Decimal& decimal, int power) {
  std::string text = decimal.digits.substr(0, 1);
  if (decimal.digits.size() > 1) {
    text += '.';
    text += decimal.digits.substr(1);
  }
  text += power < 0 ? "e-" : "e+";
  text += std::to_string(std::abs(power));
  return text;
}

/// The layout rules of fpconv_dtoa's emit_digits.
std::string laid_out(const Decimal& decimal, bool negative) {
  const int count = static_cast<int>(decimal.digits.size());
  const int k = decimal.exponent;
  const int power = k + count - 1;
  std::string text = decimal.digits;
  if (k >= 0 && std::abs(power) < count + (negative ? 6 : 7)) {
    text.append(static_cast<std::size_t>(k), '0');
    return text;
  }
  if (k < 0 && (k > -7 || std::abs(power) < 4)) {
    if (count + k <= 0) text.insert(0, static_cast<std::size_t>(1 - (count + k)), '0');
    text.insert(text.size() - static_cast<std::size_t>(-k), 1, '.');
    return text;
  }
  return with_exponent(decimal, power);
}

}  // namespace

std::string shortest_text(double number) {
  const bool negative = std::signbit(number);
  std::string text = negative ? "-" : "";
  if (number == 0) {
    text += '0';
  } else if (std::isnan(number)) {
    text += "nan";
  } else if (std::isinf(number)) {
    text += "inf";
  } else {
    text += laid_out(shortest_decimal(std::fabs(number)), negative);
  }
  return text;
}

std::string long_text(double number) {
  std::array<char, 40> buffer{};
  const int bytes = std::snprintf(buffer.data(), buffer.size(), "%.17g", number);
  return {buffer.data(), static_cast<std::size_t>(bytes)};
}

std::string argument_text(double number) {
  constexpr double half_range = static_cast<double>(std::numeric_limits<std::int64_t>::max() / 2);
  if (number >= -half_range && number <= half_range) {
    const auto whole = static_cast<std::int64_t>(number);
    if (static_cast<double>(whole) == number) return std::to_string(whole);
  }
  return shortest_text(number);
}

}  // namespace cohsim::lua
