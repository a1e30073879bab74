// What the server answers to one command: a value of RESP2 or RESP3.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lua/reply_buffer.h"

namespace cohsim::valkey {

/// One reply. `text` holds the bytes of a status, an error (with its code, without '-'), a bulk string, a number as it
/// is spelt, or a verbatim string with its format ("txt:…"); `items` those of an array, set or push, or the keys and
/// values of a map in turn.
struct Reply {
  using Kind = lua::ReplyBuffer::Kind;

  Kind kind = Kind::nil;
  std::int64_t integer = 0;  ///< of an integer; 0 or 1 of a boolean
  std::string text;
  std::vector<Reply> items;

  static Reply of_nil() { return {}; }
  static Reply of_integer(std::int64_t value) { return {Kind::integer, value, {}, {}}; }
  static Reply of_status(std::string text) { return {Kind::status, 0, std::move(text), {}}; }
  static Reply of_error(std::string text) { return {Kind::error, 0, std::move(text), {}}; }
  static Reply of_bulk(std::string text) { return {Kind::bulk, 0, std::move(text), {}}; }
  static Reply of_array(std::vector<Reply> items) { return {Kind::array, 0, {}, std::move(items)}; }
  static Reply of(const lua::ReplyBuffer& buffer);

  [[nodiscard]] bool is_error() const { return kind == Kind::error; }
  [[nodiscard]] bool is_integer(std::int64_t value) const { return kind == Kind::integer && integer == value; }
  friend bool operator==(const Reply&, const Reply&) = default;
};

enum class Protocol : std::uint8_t { resp2 = 2, resp3 = 3 };

/// The bytes that a connection carries for a reply (networking.c's addReply…; resp3.c).
[[nodiscard]] std::string to_resp(const Reply& reply, Protocol protocol);
[[nodiscard]] inline std::string to_resp2(const Reply& reply) { return to_resp(reply, Protocol::resp2); }
/// Appends the same for one reply, or for several behind one another, that a buffer holds.
void append_resp(const lua::ReplyBuffer& buffer, Protocol protocol, std::string& bytes);

/// One line for people: `(integer) 1`, `"bytes\x00"`, `(nil)`, `(error) ERR …`.
[[nodiscard]] std::string to_text(const Reply& reply);

}  // namespace cohsim::valkey
