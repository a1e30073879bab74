#include "sim/valkey/request_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/valkey/integer_text.h"

namespace cohsim::valkey {

namespace {

using State = ParsedRequest::State;

constexpr std::int64_t unauthenticated_arguments = 10;
constexpr std::int64_t unauthenticated_bulk = 16384;

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

ParsedRequest RequestReader::next(const RequestLimits& limits) {
  ParsedRequest request;
  if (missing_ > 0) {
    request = read_arguments(limits);
  } else if (place_ < bytes_.size()) {
    request = bytes_[place_] == '*' ? read_array(limits) : read_inline(limits);
  }
  drop_read();
  return request;
}

ParsedRequest RequestReader::read_inline(const RequestLimits& limits) {
  std::string_view line;
  const Line found = read_line(limits, '\n', 0, line);
  if (found == Line::too_long) return broken("too big inline request");
  if (found == Line::partial) return {};
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  ParsedRequest request;
  if (!split_inline(line, request.args)) return broken("unbalanced quotes in request");
  request.state = request.args.empty() ? State::empty : State::command;
  return request;
}

ParsedRequest RequestReader::read_array(const RequestLimits& limits) {
  std::string_view line;
  const Line found = read_line(limits, '\r', 1, line);
  if (found == Line::too_long) return broken("too big mbulk count string");
  if (found == Line::partial) return {};
  const auto count = read_integer(line.substr(1));
  if (!count || *count > static_cast<std::int64_t>(limits.arguments)) return broken("invalid multibulk length");
  if (*count > unauthenticated_arguments && !limits.authenticated) return broken("unauthenticated multibulk length");
  if (*count <= 0) return {State::empty, {}, {}};
  missing_ = static_cast<std::size_t>(*count);
  return read_arguments(limits);
}

ParsedRequest RequestReader::read_arguments(const RequestLimits& limits) {
  while (missing_ > 0) {
    if (!bulk_) {
      std::string_view line;
      const Line found = read_line(limits, '\r', 1, line);
      if (found == Line::too_long) return broken("too big bulk count string");
      if (found == Line::partial) return {};
      if (line.empty() || line.front() != '$') {
        const char first = line.empty() ? '\r' : line.front();
        return broken(fmt::format("expected '$', got '{}'", first == '\r' || first == '\n' ? ' ' : first));
      }
      const auto size = read_integer(line.substr(1));
      if (!size || *size < 0 || *size > static_cast<std::int64_t>(limits.bulk_bytes)) {
        return broken("invalid bulk length");
      }
      if (*size > unauthenticated_bulk && !limits.authenticated) return broken("unauthenticated bulk length");
      args_bytes_ += static_cast<std::size_t>(*size) + sizeof(std::string);
      if (args_bytes_ > limits.argument_bytes) return broken("too many bytes of arguments");
      bulk_ = static_cast<std::size_t>(*size);
    }
    if (bytes_.size() - place_ < *bulk_ + 2) return {};
    args_.push_back(bytes_.substr(place_, *bulk_));
    place_ += *bulk_ + 2;
    bulk_.reset();
    --missing_;
    ++steps_;
  }
  args_bytes_ = 0;
  return {State::command, std::exchange(args_, {}), {}};
}

ParsedRequest RequestReader::broken(std::string text) {
  place_ = bytes_.size();
  missing_ = 0;
  args_.clear();
  args_bytes_ = 0;
  return {State::broken, {}, "ERR Protocol error: " + std::move(text)};
}

/// Reads up to `end_mark` and `tail` bytes behind it (the server does not look at what follows '\r' either).
RequestReader::Line RequestReader::read_line(const RequestLimits& limits, char end_mark, std::size_t tail, std::string_view& line) {
  std::size_t end = bytes_.find(end_mark, place_ + searched_);
  std::size_t stopped = std::min(end, bytes_.size());
  // The server looks with strchr: behind a NUL it finds no end, and waits until the line is too long.
  const std::size_t nul = std::string_view(bytes_).substr(0, stopped).find('\0', place_ + searched_);
  if (nul != std::string_view::npos) {
    if (bytes_.size() - place_ > limits.inline_bytes) return Line::too_long;
    stopped = nul;
    end = std::string::npos;
  }
  steps_ += stopped - place_ - searched_;
  searched_ = stopped - place_;
  if (searched_ > limits.inline_bytes) return Line::too_long;
  if (end == std::string::npos || bytes_.size() - end <= tail) return Line::partial;
  line = std::string_view(bytes_).substr(place_, searched_);
  place_ = end + 1 + tail;
  searched_ = 0;
  return Line::whole;
}

/// Gives back the bytes that were read, once they are the larger part: what is left is moved.
void RequestReader::drop_read() {
  if (place_ < bytes_.size() - place_) return;
  steps_ += bytes_.size() - place_;
  bytes_.erase(0, place_);
  place_ = 0;
  if (bytes_.empty() && bytes_.capacity() > RequestLimits{}.inline_bytes) bytes_ = {};  // what one large argument had needed
}

}  // namespace cohsim::valkey
