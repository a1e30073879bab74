#include "fidelity/reply_tree.h"

#include <charconv>
#include <cstdint>

namespace cohsim::fidelity {

namespace {

constexpr int depth_max = 1000;

bool read_node(std::string_view& rest, ReplyNode& node, int depth) {
  const std::size_t end = rest.find("\r\n");
  if (end == std::string_view::npos || end == 0 || depth > depth_max) return false;
  node.kind = rest.front();
  node.text = rest.substr(1, end - 1);
  rest.remove_prefix(end + 2);
  const bool bulk = node.kind == '$' || node.kind == '=' || node.kind == '!';
  const bool aggregate = node.kind == '*' || node.kind == '~' || node.kind == '>' || node.kind == '%';
  if (!bulk && !aggregate) return true;
  std::int64_t count = 0;
  const auto read = std::from_chars(node.text.data(), node.text.data() + node.text.size(), count);
  if (read.ec != std::errc() || read.ptr != node.text.data() + node.text.size()) return false;
  node.is_null = count < 0;
  if (node.is_null) return true;
  if (bulk) {
    if (rest.size() < static_cast<std::uint64_t>(count) + 2) return false;
    node.text = rest.substr(0, static_cast<std::size_t>(count));
    rest.remove_prefix(static_cast<std::size_t>(count) + 2);
    return true;
  }
  if (node.kind == '%') count *= 2;
  if (static_cast<std::uint64_t>(count) > rest.size()) return false;  // an item takes three bytes at least
  node.items.resize(static_cast<std::size_t>(count));
  for (ReplyNode& item : node.items) {
    if (!read_node(rest, item, depth + 1)) return false;
  }
  return true;
}

}  // namespace

std::optional<ReplyNode> parse_reply(std::string_view frame) {
  ReplyNode node;
  if (!read_node(frame, node, 0) || !frame.empty()) return std::nullopt;
  return node;
}

}  // namespace cohsim::fidelity
