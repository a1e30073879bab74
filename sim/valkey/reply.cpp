#include "sim/valkey/reply.h"

#include <fmt/format.h>

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

}  // namespace

std::string to_resp2(const Reply& reply) {
  switch (reply.kind) {
    case Reply::Kind::nil:
      return "$-1\r\n";
    case Reply::Kind::integer:
      return fmt::format(":{}\r\n", reply.integer);
    case Reply::Kind::status:
      return fmt::format("+{}\r\n", reply.text);
    case Reply::Kind::error:
      return fmt::format("-{}\r\n", reply.text);
    case Reply::Kind::bulk:
      return fmt::format("${}\r\n{}\r\n", reply.text.size(), reply.text);
    case Reply::Kind::array:
      break;
  }
  std::string bytes = fmt::format("*{}\r\n", reply.items.size());
  for (const Reply& item : reply.items) bytes += to_resp2(item);
  return bytes;
}

std::string to_text(const Reply& reply) {
  switch (reply.kind) {
    case Reply::Kind::nil:
      return "(nil)";
    case Reply::Kind::integer:
      return fmt::format("(integer) {}", reply.integer);
    case Reply::Kind::status:
      return reply.text;
    case Reply::Kind::error:
      return fmt::format("(error) {}", reply.text);
    case Reply::Kind::bulk:
      return quoted(reply.text);
    case Reply::Kind::array:
      break;
  }
  std::string text = "[";
  for (const Reply& item : reply.items) {
    if (text.size() > 1) text += ", ";
    text += to_text(item);
  }
  return text + "]";
}

}  // namespace cohsim::valkey
