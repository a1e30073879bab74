#include "sim/valkey/commands/sorted_values.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "lua/number_text.h"

namespace cohsim::valkey {

namespace {

/// As a C string, blanks before it and nothing at all included.
bool read_score_bound(std::string_view text, Range::Bound& bound) {
  bound.open = !text.empty() && text.front() == '(';
  const std::string copy(bound.open ? text.substr(1) : text);
  char* end = nullptr;
  bound.score = std::strtod(copy.c_str(), &end);
  return *end == '\0' && !std::isnan(bound.score);
}

bool read_lex_bound(std::string_view text, Range::Bound& bound) {
  if (text.empty()) return false;
  const bool alone = text.size() == 1 || text[1] == '\0';
  if ((text.front() == '-' || text.front() == '+') && alone) {
    bound.infinite = text.front() == '-' ? -1 : 1;
    return true;
  }
  if (text.front() != '(' && text.front() != '[') return false;
  bound.open = text.front() == '(';
  bound.text = text.substr(1);
  return true;
}

bool above_least(const Range& range, const Scored& item) {
  const Range::Bound& least = range.least;
  if (range.kind == Range::Kind::score) return least.open ? item.first > least.score : item.first >= least.score;
  if (least.infinite != 0) return least.infinite < 0;
  return least.open ? item.second > least.text : item.second >= least.text;
}

bool below_most(const Range& range, const Scored& item) {
  const Range::Bound& most = range.most;
  if (range.kind == Range::Kind::score) return most.open ? item.first < most.score : item.first <= most.score;
  if (most.infinite != 0) return most.infinite > 0;
  return most.open ? item.second < most.text : item.second <= most.text;
}

/// Of a lexical range; an infinite end is an open one.
bool ends_before_it_begins(const Range& range) {
  const Range::Bound& least = range.least;
  const Range::Bound& most = range.most;
  int order = least.infinite - most.infinite;
  if (least.infinite == 0 && most.infinite == 0) order = least.text.compare(most.text);
  return order > 0 || (order == 0 && (least.open || most.open || least.infinite != 0));
}

std::vector<const Scored*> by_rank(const SortedSet& set, const Range& range) {
  Stretch shown = stretch_of(range.start, range.stop, set.order.size());
  if (range.reversed && shown.count > 0) shown.first = set.order.size() - shown.first - shown.count;
  std::vector<const Scored*> found;
  auto item = std::next(set.order.begin(), static_cast<std::ptrdiff_t>(shown.first));
  for (std::size_t left = shown.count; left > 0; --left) found.push_back(&*item++);
  if (range.reversed) std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace

std::optional<double> read_double(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(copy.c_str(), &end);
  const bool blank = copy.empty() || std::isspace(static_cast<unsigned char>(copy.front())) != 0;
  const bool lost = errno == ERANGE && (std::isinf(value) || value == 0);
  if (blank || lost || end != copy.c_str() + copy.size() || std::isnan(value)) return std::nullopt;
  return value;
}

std::string score_text(double score, bool shortest) {
  if (std::isinf(score)) return score > 0 ? "inf" : "-inf";
  if (score == 0) return std::signbit(score) ? "-0" : "0";
  if (shortest) return lua::argument_text(score);
  std::string text(32, '\0');
  text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.17g", score)));
  return text;
}

void store_result(CommandCall& call, std::string_view key, SortedSet result) {
  const auto size = static_cast<std::int64_t>(result.scores.size());
  if (result.empty()) {
    call.server.keyspace.erase(key, "DEL");
  } else {
    Row row;
    row.collection = std::make_shared<Collection>(std::move(result));
    call.server.keyspace.put(key, std::move(row), call.command.name);
  }
  call.reply.integer(size);
}

bool read_score(CommandCall& call, std::string_view text, double& score) {
  const auto value = read_double(text);
  if (!value) {
    call.reply.error("ERR value is not a valid float");
    return false;
  }
  score = *value;
  return true;
}

void reply_score(CommandCall& call, double score) {
  call.reply.real(score, call.reply.keep(score_text(score, call.server.personality().shortest_scores)));
}

bool read_bounds(CommandCall& call, std::string_view least, std::string_view most, Range& range) {
  if (range.kind == Range::Kind::rank) {
    return read_number(call, least, range.start) && read_number(call, most, range.stop);
  }
  const bool lex = range.kind == Range::Kind::lex;
  const auto read = lex ? read_lex_bound : read_score_bound;
  if (read(least, range.least) && read(most, range.most)) return true;
  call.reply.error(lex ? "ERR min or max not valid string range item" : "ERR min or max is not a float");
  return false;
}

// Where scores differ, a lexical range has no meaning, but an answer: the steps are those of zslFirstInLexRange (t_zset.c).
std::vector<const Scored*> select(const SortedSet& set, const Range& range) {
  if (range.kind == Range::Kind::rank) return by_rank(set, range);
  if (set.order.empty() || !above_least(range, *set.order.rbegin()) || !below_most(range, *set.order.begin())) return {};
  if (range.kind == Range::Kind::lex && ends_before_it_begins(range)) return {};
  std::vector<const Scored*> found;
  if (range.reversed) {
    auto item = set.order.rbegin();
    while (item != set.order.rend() && !below_most(range, *item)) ++item;
    while (item != set.order.rend() && above_least(range, *item)) found.push_back(&*item++);
  } else {
    auto item = set.order.begin();
    if (range.kind == Range::Kind::score) item = set.order.lower_bound({range.least.score, std::string()});
    while (item != set.order.end() && !above_least(range, *item)) ++item;
    while (item != set.order.end() && below_most(range, *item)) found.push_back(&*item++);
  }
  if (range.offset < 0 || range.offset >= static_cast<std::int64_t>(found.size())) return {};
  found.erase(found.begin(), found.begin() + range.offset);
  if (range.limit >= 0 && range.limit < static_cast<std::int64_t>(found.size())) {
    found.resize(static_cast<std::size_t>(range.limit));
  }
  return found;
}

}  // namespace cohsim::valkey
