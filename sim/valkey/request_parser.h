// What a connection sends: RESP arrays of bulk strings, or inline commands (networking.c).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cohsim::valkey {

struct RequestLimits {
  std::size_t arguments = 2147483647;           ///< of one command (INT_MAX)
  std::size_t bulk_bytes = 512U << 20U;         ///< of one argument (proto-max-bulk-len)
  std::size_t inline_bytes = 64 * 1024;         ///< of a line: an inline command's, or one that announces a count
  std::size_t unread_bytes = 1U << 30U;         ///< of what waits (client-query-buffer-limit); its keeper closes the connection
  std::size_t argument_bytes = 2U << 30U;       ///< of one command, all together: a bound of our own
  bool authenticated = true;                    ///< else less is read: 10 arguments, of 16 KiB each
};

struct ParsedRequest {
  enum class State : std::uint8_t {
    incomplete,  ///< more bytes are needed
    empty,       ///< nothing to run: an empty line or an array of none
    command,     ///< `args` is one
    broken       ///< `error` is the reply (code included); the connection must end behind it
  };
  State state = State::incomplete;
  std::vector<std::string> args;
  std::string error;
};

/// Reads the requests of one connection, in whatever pieces they come: every byte is looked at once, and what comes out
/// does not depend on the pieces (a real server lets a line that is too long pass if its end comes along with it). Keeps the arguments of the request under way, and the bytes behind them.
class RequestReader {
 public:
  void append(std::string_view bytes) { bytes_ += bytes; }
  /// The next request of what was appended. A broken one takes all that was appended with it.
  [[nodiscard]] ParsedRequest next(const RequestLimits& limits);
  /// Bytes that wait for others, or for being asked for; without the arguments of the request under way (as in 7.0).
  [[nodiscard]] std::size_t unread_bytes() const { return bytes_.size() - place_; }
  /// The work done so far: bytes searched for the end of a line, arguments taken, bytes moved to the front.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  enum class Line : std::uint8_t { whole, partial, too_long };

  ParsedRequest read_inline(const RequestLimits& limits);
  ParsedRequest read_array(const RequestLimits& limits);
  ParsedRequest read_arguments(const RequestLimits& limits);
  ParsedRequest broken(std::string text);
  Line read_line(const RequestLimits& limits, char end_mark, std::size_t tail, std::string_view& line);
  void drop_read();

  std::string bytes_;
  std::size_t place_ = 0;                ///< of the first byte that is not read yet
  std::size_t searched_ = 0;             ///< bytes behind it that hold no end of a line
  std::size_t missing_ = 0;              ///< arguments that the request under way still needs
  std::optional<std::size_t> bulk_;      ///< bytes of the argument under way, once they are announced
  std::vector<std::string> args_;        ///< of the request under way
  std::size_t args_bytes_ = 0;           ///< what they take
  std::uint64_t steps_ = 0;
};

/// Splits an inline command as the server does: blanks between words, "…" with escapes, '…' (sds.c, sdssplitargs).
/// False for unbalanced quotes.
[[nodiscard]] bool split_inline(std::string_view line, std::vector<std::string>& words);

}  // namespace cohsim::valkey
