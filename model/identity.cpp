#include "model/identity.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace cohsim {

namespace {

constexpr std::string_view alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

constexpr std::array<std::int8_t, 256> digit_values() {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::int8_t>(i);
  }
  return values;
}

constexpr auto digits = digit_values();

}  // namespace

bool is_namespace(std::string_view text) {
  return text.size() == namespace_size && std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::optional<Snowflake> snowflake_of(std::string_view bytes) {
  if (bytes.size() != branded_size || !is_namespace(bytes.substr(0, namespace_size))) return std::nullopt;
  Snowflake number = 0;
  for (const char c : bytes.substr(namespace_size)) {
    const std::int8_t digit = digits[static_cast<unsigned char>(c)];
    if (digit < 0) return std::nullopt;
    // Eleven digits reach 62^11, about 2^65.5: refuse before 64 bits overflow.
    if (number > (max_snowflake - static_cast<Snowflake>(digit)) / 62) return std::nullopt;
    number = number * 62 + static_cast<Snowflake>(digit);
  }
  return number;
}

bool is_branded(std::string_view bytes) { return snowflake_of(bytes).has_value(); }

std::string brand(std::string_view name_space, Snowflake snowflake) {
  if (!is_namespace(name_space)) throw std::invalid_argument("a namespace is three letters A-Z");
  if (snowflake > max_snowflake) throw std::invalid_argument("a snowflake has 63 bits");
  std::string id(branded_size, '0');
  std::copy(name_space.begin(), name_space.end(), id.begin());
  for (std::size_t i = branded_size; snowflake != 0; snowflake /= 62) id[--i] = alphabet[snowflake % 62];
  return id;
}

bool newer(std::string_view a, std::string_view b) {
  const auto payload = [](std::string_view id) {
    return id.size() <= namespace_size ? std::string_view() : id.substr(namespace_size, branded_size - namespace_size);
  };
  return payload(a) > payload(b);  // char_traits<char> compares as unsigned bytes
}

Snowflake Mint::mint(std::int64_t wall_ms) {
  const std::int64_t since = std::max<std::int64_t>(0, wall_ms - snowflake_epoch_ms);
  const std::uint64_t now = static_cast<std::uint64_t>(since) << 12;
  cell_ = minted_ ? std::max(now, cell_ + 1) : now;
  minted_ = true;
  return make_snowflake(cell_ >> 12, node_number_, cell_ & 0xfff);
}

}  // namespace cohsim
