#include "lua/sha1.h"

#include <sha1.h>

#include <array>
#include <cstdint>

namespace cohsim::lua {

std::string sha1_hex(std::string_view bytes) {
  SHA1_CTX context;
  SHA1Init(&context);
  SHA1Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  std::array<std::uint8_t, SHA1_DIGEST_LENGTH> digest{};
  SHA1Final(digest.data(), &context);
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const std::uint8_t byte : digest) {
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

}  // namespace cohsim::lua
