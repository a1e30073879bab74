#include "lua/json_tokens.h"

#include <strings.h>
#include <array>
#include <cstdlib>
#include <cstring>

namespace cohsim::lua {

namespace {

constexpr std::string_view escapes = "\"\\/bfnrtu";
constexpr std::string_view meanings = "\"\\/\b\f\n\r\tu";

/// Four hexadecimal digits as a number; -1 where they are none.
int hex4(const char* digits) {
  int value = 0;
  for (int place = 0; place < 4; ++place) {
    const char digit = digits[place];
    const char small = static_cast<char>(digit | 0x20);
    if (digit >= '0' && digit <= '9') {
      value = value * 16 + (digit - '0');
    } else if (small >= 'a' && small <= 'f') {
      value = value * 16 + (small - 'a' + 10);
    } else {
      return -1;
    }
  }
  return value;
}

void append_utf8(std::string& text, unsigned point) {
  const auto add = [&text](unsigned byte) { text += static_cast<char>(byte); };
  if (point < 0x80) {
    add(point);
  } else if (point < 0x800) {
    add(0xC0U | (point >> 6U));
    add(0x80U | (point & 0x3FU));
  } else if (point < 0x10000) {
    add(0xE0U | (point >> 12U));
    add(0x80U | ((point >> 6U) & 0x3FU));
    add(0x80U | (point & 0x3FU));
  } else {
    add(0xF0U | (point >> 18U));
    add(0x80U | ((point >> 12U) & 0x3FU));
    add(0x80U | ((point >> 6U) & 0x3FU));
    add(0x80U | (point & 0x3FU));
  }
}

}  // namespace

const char* JsonTokens::name() const {
  static constexpr std::array names = {"T_OBJ_BEGIN", "T_OBJ_END", "T_ARR_BEGIN", "T_ARR_END", "T_STRING", "T_NUMBER",
                                       "T_BOOLEAN",   "T_NULL",    "T_COLON",     "T_COMMA",   "T_END"};
  return kind_ == Kind::error ? reason_ : names[static_cast<std::size_t>(kind_)];
}

void JsonTokens::fail(const char* reason) {
  kind_ = Kind::error;
  reason_ = reason;
  place_ = consumed();
}

void JsonTokens::word(std::string_view expected, Kind kind, double value) {
  if (std::strncmp(at_, expected.data(), expected.size()) != 0) return fail("invalid token");
  kind_ = kind;
  number_ = value;
  at_ += expected.size();
}

void JsonTokens::next() {
  while (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r') ++at_;
  place_ = consumed();
  static constexpr std::string_view single = "{}[]:,";
  static constexpr std::array kinds = {Kind::object_begin, Kind::object_end, Kind::array_begin,
                                       Kind::array_end,    Kind::colon,      Kind::comma};
  const char first = *at_;
  if (first == '\0') {
    kind_ = Kind::end;
  } else if (const std::size_t place = single.find(first); place != std::string_view::npos) {
    kind_ = kinds[place];
    ++at_;
  } else if (first == '"') {
    read_string();
  } else if (first == '-' || (first >= '0' && first <= '9')) {
    if (!invalid_ && at_invalid_number()) return fail("invalid number");
    read_number();
  } else if (first == 't') {
    word("true", Kind::boolean, 1);
  } else if (first == 'f') {
    word("false", Kind::boolean, 0);
  } else if (std::strncmp(at_, "null", 4) == 0) {
    word("null", Kind::null, 0);
  } else if (invalid_ && std::strchr("+iInN", first) != nullptr && at_invalid_number()) {
    read_number();
  } else {
    fail("invalid token");
  }
}

void JsonTokens::read_number() {
  char* end = nullptr;
  number_ = std::strtod(at_, &end);
  if (end == at_) return fail("invalid number");
  kind_ = Kind::number;
  at_ = end;
}

bool JsonTokens::at_invalid_number() const {
  const char* digits = at_;
  if (*digits == '+') return true;
  if (*digits == '-') ++digits;
  if (*digits == '0') {
    const char second = digits[1];
    return (second | 0x20) == 'x' || (second >= '0' && second <= '9');
  }
  return strncasecmp(digits, "inf", 3) == 0 || strncasecmp(digits, "nan", 3) == 0;
}

void JsonTokens::read_string() {
  text_.clear();
  for (++at_; *at_ != '"';) {
    char letter = *at_;
    if (letter == '\0') return fail("unexpected end of string");
    if (letter == '\\') {
      const std::size_t place = at_[1] == '\0' ? std::string_view::npos : escapes.find(at_[1]);
      if (place == std::string_view::npos) return fail("invalid escape code");
      letter = meanings[place];
      if (letter == 'u') {
        if (!read_unicode_escape()) return fail("invalid unicode escape code");
        continue;
      }
      ++at_;
    }
    text_ += letter;
    ++at_;
  }
  ++at_;
  kind_ = Kind::string;
}

bool JsonTokens::read_unicode_escape() {
  int point = hex4(at_ + 2);
  if (point < 0) return false;
  std::size_t bytes = 6;
  if ((point & 0xF800) == 0xD800) {
    if ((point & 0x400) != 0 || at_[6] != '\\' || at_[7] != 'u') return false;
    const int low = hex4(at_ + 8);
    if (low < 0 || (low & 0xFC00) != 0xDC00) return false;
    point = ((point & 0x3FF) << 10) + (low & 0x3FF) + 0x10000;
    bytes = 12;
  }
  append_utf8(text_, static_cast<unsigned>(point));
  at_ += bytes;
  return true;
}

}  // namespace cohsim::lua
