// Scores and ranges of sorted sets, read and spelt as the server does (t_zset.c, util.c).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/valkey/command.h"
#include "sim/valkey/commands/number_args.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

using Scored = std::pair<double, std::string>;

inline void put_score(SortedSet& set, std::string_view member, double score, const FormLimits& limits) {
  const auto place = set.scores.find(member);
  const bool is_new = place == set.scores.end();
  if (is_new && (set.scores.size() >= static_cast<std::uint64_t>(limits.sorted_entries) ||
                 member.size() > static_cast<std::uint64_t>(limits.sorted_value))) {
    set.encoding = Encoding::large;
  }
  if (set.encoding == Encoding::small && score == 0) score = 0;  // a listpack has no -0
  if (!is_new) set.order.erase({place->second, place->first});
  set.scores.insert_or_assign(std::string(member), score);
  set.order.emplace(score, member);
}

inline bool remove_member(SortedSet& set, std::string_view member) {
  const auto place = set.scores.find(member);
  if (place == set.scores.end()) return false;
  set.order.erase({place->second, place->first});
  set.scores.erase(place);
  return true;
}

/// As all numbers with a fraction are read but those of INCRBYFLOAT.
[[nodiscard]] std::optional<double> read_double(std::string_view text);
/// How the server spells a score, as short as it reads back or with 17 digits.
[[nodiscard]] std::string score_text(double score, bool shortest);
/// Keeps the result of a STORE command in place of what is at `key`, or nothing where it is empty; replies its size.
void store_result(CommandCall& call, std::string_view key, SortedSet result);

/// False, with the error written, where the text is no score.
bool read_score(CommandCall& call, std::string_view text, double& score);
void reply_score(CommandCall& call, double score);

/// Which members, in the order of the set; then turned round and cut.
struct Range {
  enum class Kind : std::uint8_t { rank, score, lex };
  struct Bound {
    double score = 0;
    std::string_view text;
    int infinite = 0;  ///< -1, 1: before or behind every member
    bool open = false;
  };
  Kind kind = Kind::rank;
  bool reversed = false;
  std::int64_t start = 0;  ///< of ranks
  std::int64_t stop = -1;
  Bound least;
  Bound most;
  std::int64_t offset = 0;
  std::int64_t limit = -1;
};

/// Reads both ends, the lower one first; false with the error written.
bool read_bounds(CommandCall& call, std::string_view least, std::string_view most, Range& range);
/// What is in the range, pointing into the set.
[[nodiscard]] std::vector<const Scored*> select(const SortedSet& set, const Range& range);

}  // namespace cohsim::valkey
