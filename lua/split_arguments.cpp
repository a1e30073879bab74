#include "lua/split_arguments.h"

namespace cohsim::lua {

namespace {

constexpr std::string_view blanks = " \t\n\v\f\r";

int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  const char small = static_cast<char>(digit | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

class Splitter {
 public:
  explicit Splitter(std::string_view line) : rest_(line.substr(0, line.find('\0'))) {}

  std::optional<std::vector<std::string>> words() {
    std::vector<std::string> found;
    for (;;) {
      rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
      if (rest_.empty()) return found;
      if (!word(found.emplace_back())) return std::nullopt;
    }
  }

 private:
  bool word(std::string& text) {
    while (!rest_.empty() && blanks.find(rest_.front()) == std::string_view::npos) {
      const char letter = rest_.front();
      rest_.remove_prefix(1);
      if (letter == '"' || letter == '\'') {
        if (!quoted(letter, text)) return false;
        return rest_.empty() || blanks.find(rest_.front()) != std::string_view::npos;
      }
      text += letter;
    }
    return true;
  }

  /// Reads up to the closing quote; false where there is none.
  bool quoted(char quote, std::string& text) {
    while (!rest_.empty()) {
      const char letter = rest_.front();
      rest_.remove_prefix(1);
      if (letter == quote) return true;
      if (letter == '\\' && !rest_.empty() && (quote == '"' || rest_.front() == '\'')) {
        escaped(quote, text);
      } else {
        text += letter;
      }
    }
    return false;
  }

  void escaped(char quote, std::string& text) {
    static constexpr std::string_view names = "nrtba";
    static constexpr std::string_view meanings = "\n\r\t\b\a";
    const char letter = rest_.front();
    const bool is_hex =
        quote == '"' && letter == 'x' && rest_.size() > 2 && hex_digit(rest_[1]) >= 0 && hex_digit(rest_[2]) >= 0;
    if (is_hex) {
      text += static_cast<char>(hex_digit(rest_[1]) * 16 + hex_digit(rest_[2]));
      rest_.remove_prefix(3);
      return;
    }
    const std::size_t place = quote == '"' ? names.find(letter) : std::string_view::npos;
    text += place == std::string_view::npos ? letter : meanings[place];
    rest_.remove_prefix(1);
  }

  std::string_view rest_;
};

}  // namespace

std::optional<std::vector<std::string>> split_arguments(std::string_view line) { return Splitter(line).words(); }

}  // namespace cohsim::lua
