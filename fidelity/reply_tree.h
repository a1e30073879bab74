// One reply as a tree, for comparisons that look into it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace cohsim::fidelity {

struct ReplyNode {
  char kind = '+';                ///< the type byte of RESP
  bool is_null = false;           ///< "$-1" or "*-1"
  std::string_view text;          ///< of the line, or of the bulk string
  std::vector<ReplyNode> items;   ///< of an aggregate; those of a map are key, value, key, value …
};

/// Reads exactly one whole frame; nullopt: the bytes are none, or nest deeper than 1000. Views into `frame`.
[[nodiscard]] std::optional<ReplyNode> parse_reply(std::string_view frame);

}  // namespace cohsim::fidelity
