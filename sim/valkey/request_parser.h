// What a connection sends: RESP arrays of bulk strings, or inline commands (networking.c).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cohsim::valkey {

struct RequestLimits {
  std::size_t arguments = 1024 * 1024;          ///< of one command
  std::size_t bulk_bytes = 512U << 20U;         ///< of one argument (proto-max-bulk-len)
  std::size_t inline_bytes = 64 * 1024;         ///< of a line: an inline command's, or one that announces a count
};

struct ParsedRequest {
  enum class State : std::uint8_t {
    incomplete,  ///< more bytes are needed
    empty,       ///< nothing to run: an empty line or an array of none
    command,     ///< `args` is one
    broken       ///< `error` is the reply (code included); the connection must end behind it
  };
  State state = State::incomplete;
  std::size_t consumed = 0;  ///< bytes of the input that this request took; 0 while incomplete
  std::vector<std::string> args;
  std::string error;
};

/// Reads the first request of `bytes`. Never reads or keeps more than the limits allow.
[[nodiscard]] ParsedRequest parse_request(std::string_view bytes, const RequestLimits& limits = {});

/// Splits an inline command as the server does: blanks between words, "…" with escapes, '…' (sds.c, sdssplitargs).
/// False for unbalanced quotes.
[[nodiscard]] bool split_inline(std::string_view line, std::vector<std::string>& words);

}  // namespace cohsim::valkey
