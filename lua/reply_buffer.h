// One reply as a flat list of tokens: what commands write, and what scripts and clients read, without copying text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cohsim::lua {

/// Holds one RESP2 reply, an array's token before those of its items. Text is only referred to: whoever writes a token
/// guarantees its bytes until the next command or script, or hands them over with `keep`. Cleared and used again, it
/// allocates nothing.
class ReplyBuffer {
 public:
  enum class Kind : std::uint8_t { nil, integer, status, error, bulk, array };
  struct Token {
    Kind kind = Kind::nil;
    std::int64_t integer = 0;  ///< the value of an integer, the number of items of an array
    std::string_view text;     ///< the bytes of a status, an error (code included, no '-') or a bulk string
  };

  void nil() { tokens_.push_back({}); }
  void integer(std::int64_t value) { tokens_.push_back({Kind::integer, value, {}}); }
  void status(std::string_view text) { tokens_.push_back({Kind::status, 0, text}); }
  void error(std::string_view text) { tokens_.push_back({Kind::error, 0, text}); }
  void bulk(std::string_view text) { tokens_.push_back({Kind::bulk, 0, text}); }
  void array(std::size_t items) { tokens_.push_back({Kind::array, static_cast<std::int64_t>(items), {}}); }

  /// Takes text over; the view is valid until `clear`.
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

  /// The place of a token whose value is not known yet, for `set_items`.
  [[nodiscard]] std::size_t size() const { return tokens_.size(); }
  /// Says how many items followed the array token at `place`.
  void set_items(std::size_t place, std::size_t items) { tokens_[place].integer = static_cast<std::int64_t>(items); }

  void clear() {
    tokens_.clear();
    if (!kept_.empty()) kept_.clear();
  }
  [[nodiscard]] const std::vector<Token>& tokens() const { return tokens_; }

 private:
  std::vector<Token> tokens_;
  std::list<std::string> kept_;
};

}  // namespace cohsim::lua
