// LCS: what two strings have in common (t_string.c).
#include <array>
#include <string>
#include <vector>

#include "sim/valkey/arguments.h"
#include "sim/valkey/commands/number_args.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

struct Options {
  bool only_length = false;  ///< LEN
  bool ranges = false;       ///< IDX
  bool with_length = false;  ///< WITHMATCHLEN
  std::int64_t shortest = 0;
};

/// Characters that stand in both, from `one` in the first and from `other` in the second.
struct Match {
  std::size_t one = 0;
  std::size_t other = 0;
  std::size_t length = 0;
};

/// The longest common lengths of all pairs of beginnings.
class Lengths {
 public:
  Lengths(std::string_view one, std::string_view other) : width_(other.size() + 1), cells_((one.size() + 1) * width_) {
    for (std::size_t row = 1; row <= one.size(); ++row) {
      for (std::size_t column = 1; column <= other.size(); ++column) {
        const bool same = one[row - 1] == other[column - 1];
        cells_[row * width_ + column] =
            same ? of(row - 1, column - 1) + 1 : std::max(of(row - 1, column), of(row, column - 1));
      }
    }
  }
  [[nodiscard]] std::uint32_t of(std::size_t row, std::size_t column) const { return cells_[row * width_ + column]; }

 private:
  std::size_t width_;
  std::vector<std::uint32_t> cells_;
};

/// From the end to the beginning; the second string is left first where both ways are as good.
std::vector<Match> matches_of(std::string_view one, std::string_view other, const Lengths& lengths) {
  std::vector<Match> matches;
  bool open = false;
  std::size_t row = one.size();
  std::size_t column = other.size();
  while (row > 0 && column > 0) {
    if (one[row - 1] == other[column - 1]) {
      --row;
      --column;
      if (!open) matches.push_back({});
      matches.back() = {row, column, matches.back().length + 1};
      open = true;
      continue;
    }
    open = false;
    if (lengths.of(row - 1, column) > lengths.of(row, column - 1)) {
      --row;
    } else {
      --column;
    }
  }
  return matches;
}

bool read_options(CommandCall& call, Options& options) {
  for (std::size_t place = 3; place < call.args.size(); ++place) {
    const std::string_view word = call.args[place];
    if (is_option(word, "IDX")) {
      options.ranges = true;
    } else if (is_option(word, "LEN")) {
      options.only_length = true;
    } else if (is_option(word, "WITHMATCHLEN")) {
      options.with_length = true;
    } else if (is_option(word, "MINMATCHLEN") && place + 1 < call.args.size()) {
      if (!read_number(call, call.args[++place], options.shortest)) return false;
    } else {
      call.reply.error(errors::syntax);
      return false;
    }
  }
  if (!options.only_length || !options.ranges) return true;
  call.reply.error("ERR If you want both the length and indexes, please just use IDX.");
  return false;
}

void reply_range(CommandCall& call, std::size_t first, std::size_t length) {
  call.reply.array(2);
  call.reply.integer(static_cast<std::int64_t>(first));
  call.reply.integer(static_cast<std::int64_t>(first + length - 1));
}

void reply_ranges(CommandCall& call, const std::vector<Match>& matches, std::uint32_t length, const Options& options) {
  call.reply.map(2);
  call.reply.bulk("matches");
  const std::size_t place = call.reply.size();
  call.reply.array(0);
  std::size_t shown = 0;
  for (const Match& match : matches) {
    if (static_cast<std::int64_t>(match.length) < options.shortest) continue;
    call.reply.array(options.with_length ? 3 : 2);
    reply_range(call, match.one, match.length);
    reply_range(call, match.other, match.length);
    if (options.with_length) call.reply.integer(static_cast<std::int64_t>(match.length));
    ++shown;
  }
  call.reply.set_items(place, shown);
  call.reply.bulk("len");
  call.reply.integer(length);
}

void run_lcs(CommandCall& call) {
  const Row* const first = call.server.keyspace.find(call.args[1]);
  const Row* const second = call.server.keyspace.find(call.args[2]);
  if ((first != nullptr && !first->is_string()) || (second != nullptr && !second->is_string())) {
    return call.reply.error("ERR The specified keys must contain string values");
  }
  Options options;
  if (!read_options(call, options)) return;
  const std::string_view one = first == nullptr ? std::string_view() : first->bytes;
  const std::string_view other = second == nullptr ? std::string_view() : second->bytes;
  if ((one.size() + 1) * (other.size() + 1) * sizeof(std::uint32_t) > call.server.config.requests.bulk_bytes) {
    return call.reply.error("ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
  }
  const Lengths lengths(one, other);
  const std::uint32_t length = lengths.of(one.size(), other.size());
  if (options.only_length) return call.reply.integer(length);
  const std::vector<Match> matches = matches_of(one, other, lengths);
  if (options.ranges) return reply_ranges(call, matches, length, options);
  std::string text;
  for (auto match = matches.rbegin(); match != matches.rend(); ++match) text += one.substr(match->one, match->length);
  call.reply.bulk(call.reply.keep(std::move(text)));
}

constexpr std::array table = {
    Command{"LCS", -3, flag_none, two_keys, run_lcs},
};

}  // namespace

std::span<const Command> common_text_commands() { return table; }

}  // namespace cohsim::valkey
