#include "sim/valkey/request_parser.h"

#include <fmt/format.h>

#include <optional>

#include "sim/valkey/integer_text.h"

namespace cohsim::valkey {

namespace {

using State = ParsedRequest::State;

ParsedRequest broken(std::string text) { return {State::broken, 0, {}, "ERR Protocol error: " + std::move(text)}; }

bool is_blank(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r') || letter == '\0'; }

int hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

char unescaped(char letter) {
  switch (letter) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'b':
      return '\b';
    case 'a':
      return '\a';
    default:
      return letter;
  }
}

/// Reads the rest of a quoted word, `place` behind the opening quote; false where it does not end, or not at a blank.
bool read_quoted(std::string_view line, std::size_t& place, char quote, std::string& word) {
  for (; place < line.size(); ++place) {
    const char letter = line[place];
    const bool more = place + 1 < line.size();
    if (quote == '"' && letter == '\\' && place + 3 < line.size() && line[place + 1] == 'x' &&
        hex_value(line[place + 2]) >= 0 && hex_value(line[place + 3]) >= 0) {
      word += static_cast<char>(hex_value(line[place + 2]) * 16 + hex_value(line[place + 3]));
      place += 3;
    } else if (quote == '"' && letter == '\\' && more) {
      word += unescaped(line[++place]);
    } else if (quote == '\'' && letter == '\\' && more && line[place + 1] == '\'') {
      word += '\'';
      ++place;
    } else if (letter == quote) {
      ++place;
      return place == line.size() || is_blank(line[place]);
    } else {
      word += letter;
    }
  }
  return false;
}

ParsedRequest parse_inline(std::string_view bytes, const RequestLimits& limits) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) {
    if (bytes.size() > limits.inline_bytes) return broken("too big inline request");
    return {};
  }
  std::string_view line = bytes.substr(0, end);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  ParsedRequest request;
  request.consumed = end + 1;
  if (!split_inline(line, request.args)) return broken("unbalanced quotes in request");
  request.state = request.args.empty() ? State::empty : State::command;
  return request;
}

/// Reads a RESP request piece by piece.
class ArrayReader {
 public:
  ArrayReader(std::string_view bytes, const RequestLimits& limits) : bytes_(bytes), limits_(limits) {}

  ParsedRequest read() {
    std::string_view line;
    if (!read_line(line)) return too_long(bytes_.size()) ? broken("too big mbulk count string") : ParsedRequest{};
    const auto count = read_integer(line.substr(1));
    if (!count || *count > static_cast<std::int64_t>(limits_.arguments)) return broken("invalid multibulk length");
    ParsedRequest request;
    request.state = *count <= 0 ? State::empty : State::command;
    for (std::int64_t item = 0; item < *count; ++item) {
      if (auto stopped = read_argument(request.args)) return std::move(*stopped);
    }
    request.consumed = place_;
    return request;
  }

 private:
  [[nodiscard]] bool too_long(std::size_t bytes) const { return bytes > limits_.inline_bytes; }

  bool read_line(std::string_view& line) {
    const std::size_t end = bytes_.find('\r', place_);
    if (end == std::string_view::npos || end + 1 >= bytes_.size()) return false;
    line = bytes_.substr(place_, end - place_);
    place_ = end + 2;  // the server does not look at what follows '\r' either
    return true;
  }

  /// What to answer instead where the argument is not whole or not one.
  std::optional<ParsedRequest> read_argument(std::vector<std::string>& args) {
    const std::size_t start = place_;
    std::string_view line;
    if (!read_line(line)) {
      if (too_long(bytes_.size() - start)) return broken("too big bulk count string");
      return ParsedRequest{};
    }
    if (line.empty() || line.front() != '$') {
      const char found = line.empty() ? '\r' : line.front();
      return broken(fmt::format("expected '$', got '{}'", found == '\r' || found == '\n' ? ' ' : found));
    }
    const auto size = read_integer(line.substr(1));
    if (!size || *size < 0 || *size > static_cast<std::int64_t>(limits_.bulk_bytes)) return broken("invalid bulk length");
    const auto bytes = static_cast<std::size_t>(*size);
    if (bytes_.size() - place_ < bytes + 2) return ParsedRequest{};
    args.emplace_back(bytes_.substr(place_, bytes));
    place_ += bytes + 2;
    return std::nullopt;
  }

  std::string_view bytes_;
  const RequestLimits& limits_;
  std::size_t place_ = 0;
};

}  // namespace

bool split_inline(std::string_view line, std::vector<std::string>& words) {
  line = line.substr(0, line.find('\0'));
  for (std::size_t place = 0; place < line.size();) {
    if (is_blank(line[place])) {
      ++place;
      continue;
    }
    std::string word;
    while (place < line.size() && !is_blank(line[place])) {
      const char letter = line[place++];
      if (letter != '"' && letter != '\'') {
        word += letter;
      } else if (!read_quoted(line, place, letter, word)) {
        return false;
      }
    }
    words.push_back(std::move(word));
  }
  return true;
}

ParsedRequest parse_request(std::string_view bytes, const RequestLimits& limits) {
  if (bytes.empty()) return {};
  return bytes.front() == '*' ? ArrayReader(bytes, limits).read() : parse_inline(bytes, limits);
}

}  // namespace cohsim::valkey
