#include "sim/valkey/reply.h"

#include <fmt/format.h>

#include <iterator>

namespace cohsim::valkey {

namespace {

std::string quoted(std::string_view bytes) {
  std::string text = "\"";
  for (const char byte : bytes) {
    switch (byte) {
      case '"':
        text += "\\\"";
        break;
      case '\\':
        text += "\\\\";
        break;
      case '\n':
        text += "\\n";
        break;
      case '\r':
        text += "\\r";
        break;
      case '\t':
        text += "\\t";
        break;
      default:
        if (byte >= ' ' && byte <= '~') {
          text += byte;
        } else {
          text += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        }
    }
  }
  return text + "\"";
}

using Token = lua::ReplyBuffer::Token;
using Kind = lua::ReplyBuffer::Kind;

void append_bulk(std::string& bytes, std::string_view text) {
  fmt::format_to(std::back_inserter(bytes), "${}\r\n", text.size());
  bytes += text;
  bytes += "\r\n";
}

void append_line(std::string& bytes, char mark, std::string_view text) {
  bytes += mark;
  bytes += text;
  bytes += "\r\n";
}

void append_count(std::string& bytes, char mark, std::int64_t count) {
  fmt::format_to(std::back_inserter(bytes), "{}{}\r\n", mark, count);
}

void append_token2(const Token& token, std::string& bytes) {
  switch (token.kind) {
    case Kind::nil:
      bytes += "$-1\r\n";
      return;
    case Kind::null_array:
      bytes += "*-1\r\n";
      return;
    case Kind::boolean:
    case Kind::integer:
      return append_count(bytes, ':', token.integer);
    case Kind::status:
      return append_line(bytes, '+', token.text);
    case Kind::error:
      return append_line(bytes, '-', token.text);
    case Kind::bulk:
    case Kind::real:
    case Kind::big_number:
      return append_bulk(bytes, token.text);
    case Kind::verbatim:
      return append_bulk(bytes, token.text.substr(4));
    case Kind::array:
    case Kind::set:
    case Kind::map:
    case Kind::push:
      return append_count(bytes, '*', lua::ReplyBuffer::items_of(token));
  }
}

void append_token3(const Token& token, std::string& bytes) {
  switch (token.kind) {
    case Kind::nil:
    case Kind::null_array:
      bytes += "_\r\n";
      return;
    case Kind::boolean:
      bytes += token.integer != 0 ? "#t\r\n" : "#f\r\n";
      return;
    case Kind::real:
      return append_line(bytes, ',', token.text);
    case Kind::big_number:
      return append_line(bytes, '(', token.text);
    case Kind::verbatim:
      append_count(bytes, '=', static_cast<std::int64_t>(token.text.size()));
      bytes += token.text;
      bytes += "\r\n";
      return;
    case Kind::set:
      return append_count(bytes, '~', token.integer);
    case Kind::map:
      return append_count(bytes, '%', token.integer);
    case Kind::push:
      return append_count(bytes, '>', token.integer);
    case Kind::integer:
    case Kind::status:
    case Kind::error:
    case Kind::bulk:
    case Kind::array:
      return append_token2(token, bytes);
  }
}

void append_token(const Token& token, Protocol protocol, std::string& bytes) {
  if (protocol == Protocol::resp2) {
    append_token2(token, bytes);
  } else {
    append_token3(token, bytes);
  }
}

void append_reply(const Reply& reply, Protocol protocol, std::string& bytes) {
  std::int64_t value = reply.integer;
  if (lua::ReplyBuffer::is_aggregate(reply.kind)) {
    value = static_cast<std::int64_t>(reply.items.size()) / (reply.kind == Kind::map ? 2 : 1);
  }
  append_token({reply.kind, value, reply.text, 0}, protocol, bytes);
  for (const Reply& item : reply.items) append_reply(item, protocol, bytes);
}

/// The reply that begins at `place`, which moves behind it.
Reply read_reply(const std::vector<Token>& tokens, std::size_t& place) {
  const Token& token = tokens[place++];
  Reply reply{token.kind, 0, std::string(token.text), {}};
  if (!lua::ReplyBuffer::is_aggregate(token.kind)) {
    reply.integer = token.integer;
    return reply;
  }
  const std::int64_t items = lua::ReplyBuffer::items_of(token);
  reply.items.reserve(static_cast<std::size_t>(items));
  for (std::int64_t item = 0; item < items; ++item) reply.items.push_back(read_reply(tokens, place));
  return reply;
}

std::string items_text(const Reply& reply, std::string_view open, std::string_view close) {
  std::string text(open);
  for (const Reply& item : reply.items) {
    if (text.size() > open.size()) text += ", ";
    text += to_text(item);
  }
  return text.append(close);
}

}  // namespace

Reply Reply::of(const lua::ReplyBuffer& buffer) {
  std::size_t place = 0;
  return read_reply(buffer.tokens(), place);
}

std::string to_resp(const Reply& reply, Protocol protocol) {
  std::string bytes;
  append_reply(reply, protocol, bytes);
  return bytes;
}

void append_resp(const lua::ReplyBuffer& buffer, Protocol protocol, std::string& bytes) {
  for (const Token& token : buffer.tokens()) append_token(token, protocol, bytes);
}

std::string to_text(const Reply& reply) {
  switch (reply.kind) {
    case Kind::nil:
    case Kind::null_array:
      return "(nil)";
    case Kind::boolean:
      return reply.integer != 0 ? "(true)" : "(false)";
    case Kind::integer:
      return fmt::format("(integer) {}", reply.integer);
    case Kind::status:
      return reply.text;
    case Kind::error:
      return fmt::format("(error) {}", reply.text);
    case Kind::bulk:
      return quoted(reply.text);
    case Kind::real:
      return fmt::format("(double) {}", reply.text);
    case Kind::big_number:
      return fmt::format("(big number) {}", reply.text);
    case Kind::verbatim:
      return quoted(reply.text.substr(4));
    case Kind::array:
      return items_text(reply, "[", "]");
    case Kind::set:
      return items_text(reply, "~[", "]");
    case Kind::map:
      return items_text(reply, "%[", "]");
    case Kind::push:
      return items_text(reply, ">[", "]");
  }
  return {};
}

}  // namespace cohsim::valkey
