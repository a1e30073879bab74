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

/// Holds one reply in RESP3's terms, an aggregate's token before those of its items. Who reads it in RESP2 sees what a
/// real server writes there: a map as a flat array, a set as an array, a double or big number as a bulk string, a
/// boolean as 0 or 1, both kinds of null as they are (RESP3 has one). Text is only referred to: whoever writes a token
/// guarantees its bytes until the next command or script, or hands them over with `keep`. Cleared and used again, it
/// allocates nothing.
class ReplyBuffer {
 public:
  enum class Kind : std::uint8_t {
    nil, null_array, integer, status, error, bulk, boolean, real, big_number, verbatim, array, set, map, push
  };
  struct Token {
    Kind kind = Kind::nil;
    std::int64_t integer = 0;  ///< an integer; 0 or 1 of a boolean; an aggregate's items (of a map: its pairs)
    std::string_view text;     ///< bytes of the others; an error with its code and without '-'; a verbatim's "txt:…"
    double number = 0;         ///< a double's value; its `text` is how the server spells it
  };

  void nil() { tokens_.push_back({}); }
  void null_array() { tokens_.push_back({Kind::null_array, 0, {}, 0}); }
  void integer(std::int64_t value) { tokens_.push_back({Kind::integer, value, {}, 0}); }
  void boolean(bool value) { tokens_.push_back({Kind::boolean, value ? 1 : 0, {}, 0}); }
  void status(std::string_view text) { tokens_.push_back({Kind::status, 0, text, 0}); }
  void error(std::string_view text) { tokens_.push_back({Kind::error, 0, text, 0}); }
  void bulk(std::string_view text) { tokens_.push_back({Kind::bulk, 0, text, 0}); }
  void real(double value, std::string_view text) { tokens_.push_back({Kind::real, 0, text, value}); }
  void big_number(std::string_view text) { tokens_.push_back({Kind::big_number, 0, text, 0}); }
  /// `text` begins with the three letters of its format and a colon.
  void verbatim(std::string_view text) { tokens_.push_back({Kind::verbatim, 0, text, 0}); }
  void array(std::size_t items) { aggregate(Kind::array, items); }
  void set(std::size_t items) { aggregate(Kind::set, items); }
  void map(std::size_t pairs) { aggregate(Kind::map, pairs); }
  void push(std::size_t items) { aggregate(Kind::push, items); }

  /// Appends all that another buffer holds, its texts too.
  void append(const ReplyBuffer& other) {
    for (Token token : other.tokens_) {
      if (!token.text.empty()) token.text = keep(std::string(token.text));
      tokens_.push_back(token);
    }
  }

  /// Takes text over; the view is valid until `clear`.
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

  /// The place of a token whose value is not known yet, for `set_items`.
  [[nodiscard]] std::size_t size() const { return tokens_.size(); }
  /// Says how many items (of a map: pairs) followed the aggregate's token at `place`.
  void set_items(std::size_t place, std::size_t items) { tokens_[place].integer = static_cast<std::int64_t>(items); }
  /// Takes back every token from `place` on.
  void cut(std::size_t place) { tokens_.resize(place); }

  void clear() {
    tokens_.clear();
    if (!kept_.empty()) kept_.clear();
  }
  [[nodiscard]] const std::vector<Token>& tokens() const { return tokens_; }

  [[nodiscard]] static bool is_aggregate(Kind kind) { return kind >= Kind::array; }
  /// How many tokens follow an aggregate's as its items, not counting those inside them.
  [[nodiscard]] static std::int64_t items_of(const Token& token) {
    return token.kind == Kind::map ? 2 * token.integer : token.integer;
  }

 private:
  void aggregate(Kind kind, std::size_t items) { tokens_.push_back({kind, static_cast<std::int64_t>(items), {}, 0}); }

  std::vector<Token> tokens_;
  std::list<std::string> kept_;
};

}  // namespace cohsim::lua
