// What the server answers to one command: a RESP2 value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cohsim::valkey {

/// One RESP2 reply. `text` holds the bytes of a status, an error (with its code, without '-') or a bulk string.
struct Reply {
  enum class Kind : std::uint8_t { nil, integer, status, error, bulk, array };

  Kind kind = Kind::nil;
  std::int64_t integer = 0;
  std::string text;
  std::vector<Reply> items;

  static Reply of_nil() { return {}; }
  static Reply of_integer(std::int64_t value) { return {Kind::integer, value, {}, {}}; }
  static Reply of_status(std::string text) { return {Kind::status, 0, std::move(text), {}}; }
  static Reply of_error(std::string text) { return {Kind::error, 0, std::move(text), {}}; }
  static Reply of_bulk(std::string text) { return {Kind::bulk, 0, std::move(text), {}}; }
  static Reply of_array(std::vector<Reply> items) { return {Kind::array, 0, {}, std::move(items)}; }

  [[nodiscard]] bool is_error() const { return kind == Kind::error; }
  [[nodiscard]] bool is_integer(std::int64_t value) const { return kind == Kind::integer && integer == value; }
  friend bool operator==(const Reply&, const Reply&) = default;
};

/// The bytes that a RESP2 connection would carry for this reply.
[[nodiscard]] std::string to_resp2(const Reply& reply);

/// One line for people: `(integer) 1`, `"bytes\x00"`, `(nil)`, `(error) ERR …`.
[[nodiscard]] std::string to_text(const Reply& reply);

}  // namespace cohsim::valkey
