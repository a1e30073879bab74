#include "sim/valkey/listpack.h"

#include <cstdint>

#include "sim/valkey/integer_text.h"

namespace cohsim::valkey {

std::size_t listpack_bytes(std::string_view item) {
  std::size_t bytes = item.size() < 64 ? 1 + item.size() : item.size() < 4096 ? 2 + item.size() : 5 + item.size();
  if (const auto integer = read_integer(item)) {
    const std::int64_t value = *integer;
    const auto fits = [value](int bits) {
      return value >= -(std::int64_t{1} << (bits - 1)) && value < std::int64_t{1} << (bits - 1);
    };
    bytes = value >= 0 && value < 128 ? 1 : fits(13) ? 2 : fits(16) ? 3 : fits(24) ? 4 : fits(32) ? 5 : 9;
  }
  constexpr std::size_t seven_bits = 128;
  std::size_t length_bytes = 1;
  for (std::size_t rest = bytes; rest >= seven_bits; rest /= seven_bits) ++length_bytes;
  return bytes + length_bytes;
}

}  // namespace cohsim::valkey
