#include "lua/value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace cohsim::lua {

Value::Value(Table value) : kind_(Kind::table), table_(std::make_shared<const Table>(std::move(value))) {}

std::string_view Value::type() const {
  constexpr std::array<std::string_view, 6> names{"nil", "boolean", "number", "string", "function", "table"};
  return names[static_cast<std::size_t>(kind_)];
}

std::string Value::text() const {
  if (const auto held = boolean()) return *held ? "true" : "false";
  if (const double* held = number()) return number_as_text(*held);
  if (const std::string* held = string()) return quoted(*held);
  if (is_nil()) return "nil";
  return "a " + std::string(type());
}

Table::Table(std::initializer_list<std::pair<std::string_view, Value>> named) {
  for (const auto& [key, value] : named) set(key, value);
}

Table Table::list(std::vector<Value> items) {
  Table table;
  for (std::size_t i = 0; i < items.size(); ++i) table.entries.emplace_back(Value(i + 1), std::move(items[i]));
  return table;
}

const Value* Table::find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (const std::string* text = name.string(); text != nullptr && *text == key) return &value;
  }
  return nullptr;
}

bool Table::is_list() const {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double* number = entries[i].first.number();
    if (number == nullptr || *number != static_cast<double>(i + 1)) return false;
  }
  return true;
}

void Table::set(std::string_view key, Value value) {
  if (value.is_nil()) return;
  const auto before = [](const auto& entry, std::string_view wanted) {
    if (entry.first.number() != nullptr) return true;
    return entry.first.string() != nullptr && *entry.first.string() < wanted;
  };
  const auto at = std::lower_bound(entries.begin(), entries.end(), key, before);
  if (at != entries.end() && at->first.string() != nullptr && *at->first.string() == key) {
    at->second = std::move(value);
  } else {
    entries.emplace(at, Value(key), std::move(value));
  }
}

std::string number_as_text(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::array<char, 64> buffer{};
  const bool plain = number == 0 || (std::fabs(number) >= 1e-9 && std::fabs(number) < 1e17);
  const auto format = plain ? std::chars_format::fixed : std::chars_format::general;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format);
  return {buffer.data(), end.ptr};
}

std::size_t utf8_length(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || bytes.size() < length) return 0;
  std::uint32_t code = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
    code = code << 6U | (byte(i) & 0x3fU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return overlong || surrogate || code > 0x10ffff ? 0 : length;
}

bool begins_with_control(std::string_view text) {
  if (text.empty()) return false;
  const auto first = static_cast<unsigned char>(text[0]);
  const bool c1 = first == 0xc2 && text.size() > 1 && static_cast<unsigned char>(text[1]) < 0xa0;
  return first < 0x20 || first == 0x7f || c1;
}

std::string quoted(std::string_view bytes, std::size_t limit) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string text = "\"";
  while (!bytes.empty() && text.size() <= limit) {
    const std::size_t length = utf8_length(bytes);
    const auto byte = static_cast<unsigned char>(bytes.front());
    if (length == 0 || begins_with_control(bytes)) {
      text += "\\x";
      text += hex[byte >> 4U];
      text += hex[byte & 15U];
      bytes.remove_prefix(1);
    } else {
      if (byte == '"' || byte == '\\') text += '\\';
      text += bytes.substr(0, length);
      bytes.remove_prefix(length);
    }
  }
  return text + (bytes.empty() ? "\"" : "…\"");
}

}  // namespace cohsim::lua
