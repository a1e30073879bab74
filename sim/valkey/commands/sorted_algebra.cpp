// ZUNION, ZINTER, ZDIFF, their STORE forms, and ZINTERCARD (t_zset.c).
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sim/valkey/arguments.h"
#include "sim/valkey/commands/sorted_values.h"

namespace cohsim::valkey {

namespace {

enum class Operation : std::uint8_t { sum, intersection, difference };
enum class Aggregate : std::uint8_t { sum, least, most };
using Scores = std::map<std::string, double, std::less<>>;

/// One of the sets: sorted, or a plain one whose members all score 1; or nothing.
struct Source {
  const SortedSet* sorted = nullptr;
  const Set* plain = nullptr;
  double weight = 1;

  [[nodiscard]] std::size_t size() const {
    if (sorted != nullptr) return sorted->scores.size();
    return plain == nullptr ? 0 : plain->members.size();
  }
  [[nodiscard]] std::optional<double> find(std::string_view member) const {
    if (plain != nullptr) return plain->members.contains(member) ? std::optional(1.0) : std::nullopt;
    if (sorted == nullptr) return std::nullopt;
    const auto place = sorted->scores.find(member);
    return place == sorted->scores.end() ? std::nullopt : std::optional(place->second);
  }
  template <class Visit>
  void visit(Visit visit_member) const {
    if (sorted != nullptr) {
      for (const auto& [member, score] : sorted->scores) visit_member(member, score);
    } else if (plain != nullptr) {
      for (const auto& entry : plain->members) visit_member(entry.key, 1.0);
    }
  }
};

struct Query {
  Operation operation = Operation::sum;
  Aggregate aggregate = Aggregate::sum;
  std::vector<Source> sources;
  bool stores = false;
  bool only_counts = false;  ///< ZINTERCARD
  bool with_scores = false;
  std::int64_t limit = 0;
};

double or_zero(double score) { return std::isnan(score) ? 0 : score; }

double combined(double score, double other, Aggregate aggregate) {
  if (aggregate == Aggregate::sum) return or_zero(score + other);
  const bool takes_other = aggregate == Aggregate::least ? other < score : other > score;
  return takes_other ? other : score;
}

Scores sum_of(const Query& query) {
  Scores result;
  for (const Source& source : query.sources) {
    source.visit([&](const std::string& member, double score) {
      const double weighted = or_zero(source.weight * score);
      const auto [place, is_new] = result.emplace(member, weighted);
      if (!is_new) place->second = combined(place->second, weighted, query.aggregate);
    });
  }
  return result;
}

Scores intersection_of(const Query& query) {
  Scores result;
  const Source& smallest = query.sources[0];
  smallest.visit([&](const std::string& member, double own) {
    double score = or_zero(smallest.weight * own);
    for (std::size_t place = 1; place < query.sources.size(); ++place) {
      const auto other = query.sources[place].find(member);
      if (!other) return;
      score = combined(score, query.sources[place].weight * *other, query.aggregate);
    }
    result.emplace(member, score);
  });
  return result;
}

Scores difference_of(const Query& query) {
  Scores result;
  query.sources[0].visit([&](const std::string& member, double score) {
    const auto has = [&](const Source& source) { return source.find(member).has_value(); };
    if (std::none_of(query.sources.begin() + 1, query.sources.end(), has)) result.emplace(member, score);
  });
  return result;
}

/// Sums go from the smallest set to the largest, which decides how they are rounded.
Scores scores_of(Query& query) {
  if (query.operation == Operation::difference) return difference_of(query);
  std::stable_sort(query.sources.begin(), query.sources.end(),
                   [](const Source& one, const Source& other) { return one.size() < other.size(); });
  return query.operation == Operation::sum ? sum_of(query) : intersection_of(query);
}

/// The sets at the keys from `args[at]` on, as many as the number before them says.
bool read_sources(CommandCall& call, std::size_t at, Query& query) {
  std::int64_t count = 0;
  if (!read_number(call, call.args[at - 1], count)) return false;
  if (count < 1) {
    const std::string name = lower_case(call.command.name);
    call.reply.error(call.reply.keep(fmt::format("ERR at least 1 input key is needed for '{}' command", name)));
    return false;
  }
  if (count > static_cast<std::int64_t>(call.args.size() - at)) {
    call.reply.error(errors::syntax);
    return false;
  }
  for (const std::string_view key : call.args.subspan(at, static_cast<std::size_t>(count))) {
    const Row* const row = call.server.keyspace.find(key);
    Source source;
    if (row != nullptr) source = {row->as<SortedSet>(), row->as<Set>()};
    if (row != nullptr && source.sorted == nullptr && source.plain == nullptr) {
      call.reply.error(errors::wrong_type);
      return false;
    }
    query.sources.push_back(source);
  }
  return true;
}

bool read_weights(CommandCall& call, std::size_t at, Query& query) {
  for (std::size_t place = 0; place < query.sources.size(); ++place) {
    const auto weight = read_double(call.args[at + place]);
    if (!weight) {
      call.reply.error("ERR weight value is not a float");
      return false;
    }
    query.sources[place].weight = *weight;
  }
  return true;
}

bool read_aggregate(std::string_view word, Query& query) {
  static constexpr std::array<std::string_view, 3> words = {"SUM", "MIN", "MAX"};  // in the order of Aggregate
  for (std::size_t place = 0; place < words.size(); ++place) {
    if (!is_option(word, words.at(place))) continue;
    query.aggregate = static_cast<Aggregate>(place);
    return true;
  }
  return false;
}

/// Reads what stands behind the keys; false with the error written.
bool read_options(CommandCall& call, std::size_t at, Query& query) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const bool weighs = query.operation != Operation::difference && !query.only_counts;
  while (at < call.args.size()) {
    const std::string_view word = call.args[at];
    const std::size_t behind = call.args.size() - at - 1;
    if (weighs && behind >= query.sources.size() && is_option(word, "WEIGHTS")) {
      if (!read_weights(call, at + 1, query)) return false;
      at += 1 + query.sources.size();
    } else if (weighs && behind >= 1 && is_option(word, "AGGREGATE") && read_aggregate(call.args[at + 1], query)) {
      at += 2;
    } else if (!query.stores && !query.only_counts && is_option(word, "WITHSCORES")) {
      query.with_scores = true;
      at += 1;
    } else if (query.only_counts && behind >= 1 && is_option(word, "LIMIT")) {
      if (!read_bounded(call, call.args[at + 1], 0, most, query.limit, "ERR LIMIT can't be negative")) return false;
      at += 2;
    } else {
      call.reply.error(errors::syntax);
      return false;
    }
  }
  return true;
}

/// Reads all from the number of keys at `args[count_at]` on and combines the sets; false with the error written.
bool run_query(CommandCall& call, std::size_t count_at, Query& query, Scores& scores) {
  if (!read_sources(call, count_at + 1, query)) return false;
  if (!read_options(call, count_at + 1 + query.sources.size(), query)) return false;
  scores = scores_of(query);
  return true;
}

void show(CommandCall& call, Operation operation) {
  Query query;
  query.operation = operation;
  Scores scores;
  if (!run_query(call, 1, query, scores)) return;
  std::vector<Scored> found;
  for (auto& [member, score] : scores) found.emplace_back(score, member);
  std::sort(found.begin(), found.end());
  const bool pairs = query.with_scores && call.protocol == Protocol::resp3;
  call.reply.array(query.with_scores && !pairs ? found.size() * 2 : found.size());
  for (Scored& item : found) {
    if (pairs) call.reply.array(2);
    call.reply.bulk(call.reply.keep(std::move(item.second)));
    if (query.with_scores) reply_score(call, item.first);
  }
}

void run_zunion(CommandCall& call) { show(call, Operation::sum); }
void run_zinter(CommandCall& call) { show(call, Operation::intersection); }
void run_zdiff(CommandCall& call) { show(call, Operation::difference); }

/// The result is small when all of it is; only then does it lose its -0.
void store(CommandCall& call, Operation operation) {
  Query query;
  query.operation = operation;
  query.stores = true;
  Scores scores;
  if (!run_query(call, 2, query, scores)) return;
  const FormLimits& limits = call.server.config.limits;
  const auto is_long = [&](const auto& item) { return item.first.size() > static_cast<std::uint64_t>(limits.sorted_value); };
  SortedSet result;
  if (scores.size() > static_cast<std::uint64_t>(limits.sorted_entries) ||
      std::any_of(scores.begin(), scores.end(), is_long)) {
    result.encoding = Encoding::large;
  }
  for (const auto& [member, score] : scores) put_score(result, member, score, limits);
  store_result(call, call.args[1], std::move(result));
}

void run_zunionstore(CommandCall& call) { store(call, Operation::sum); }
void run_zinterstore(CommandCall& call) { store(call, Operation::intersection); }
void run_zdiffstore(CommandCall& call) { store(call, Operation::difference); }

void run_zintercard(CommandCall& call) {
  Query query;
  query.operation = Operation::intersection;
  query.only_counts = true;
  Scores scores;
  if (!run_query(call, 1, query, scores)) return;
  const auto size = static_cast<std::int64_t>(scores.size());
  call.reply.integer(query.limit == 0 ? size : std::min(size, query.limit));
}

constexpr int stores = flag_write | flag_denyoom;
constexpr KeyPositions behind_count{0, 0, 0, 1};
constexpr KeyPositions target_and_counted{1, 1, 1, 2};

constexpr std::array table = {
    Command{"ZDIFF", -3, flag_none, behind_count, run_zdiff},
    Command{"ZDIFFSTORE", -4, stores, target_and_counted, run_zdiffstore},
    Command{"ZINTER", -3, flag_none, behind_count, run_zinter},
    Command{"ZINTERCARD", -3, flag_none, behind_count, run_zintercard},
    Command{"ZINTERSTORE", -4, stores, target_and_counted, run_zinterstore},
    Command{"ZUNION", -3, flag_none, behind_count, run_zunion},
    Command{"ZUNIONSTORE", -4, stores, target_and_counted, run_zunionstore},
};

}  // namespace

std::span<const Command> sorted_algebra_commands() { return table; }

}  // namespace cohsim::valkey
