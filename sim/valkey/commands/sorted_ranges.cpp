// The ranges of sorted sets: ZRANGE in all its forms, ZCOUNT, ZLEXCOUNT, ZREMRANGEBY… (t_zset.c).
#include <array>

#include "sim/valkey/commands/sorted_values.h"

namespace cohsim::valkey {

namespace {

/// What the name of the command fixes already.
struct Fixed {
  bool kind = false;
  bool direction = false;
  bool stores = false;
};

struct Query {
  Range range;
  bool with_scores = false;
  bool limited = false;
};

/// Reads the options from `args[first]` on; false with the error written.
bool read_options(CommandCall& call, std::size_t first, const Fixed& fixed, Query& query) {
  bool kind_known = fixed.kind;
  for (std::size_t place = first; place < call.args.size(); ++place) {
    const std::string_view word = call.args[place];
    if (!fixed.stores && is_word(word, "WITHSCORES")) {
      query.with_scores = true;
    } else if (is_word(word, "LIMIT") && place + 2 < call.args.size()) {
      if (!read_number(call, call.args[place + 1], query.range.offset)) return false;
      if (!read_number(call, call.args[place + 2], query.range.limit)) return false;
      query.limited = query.range.limit != -1;
      place += 2;
    } else if (!fixed.direction && is_word(word, "REV")) {
      query.range.reversed = true;
    } else if (!kind_known && (is_word(word, "BYLEX") || is_word(word, "BYSCORE"))) {
      query.range.kind = is_word(word, "BYLEX") ? Range::Kind::lex : Range::Kind::score;
      kind_known = true;
    } else {
      call.reply.error(errors::syntax);
      return false;
    }
  }
  if (query.limited && query.range.kind == Range::Kind::rank) {
    call.reply.error("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
    return false;
  }
  if (query.with_scores && query.range.kind == Range::Kind::lex) {
    call.reply.error("ERR syntax error, WITHSCORES not supported in combination with BYLEX");
    return false;
  }
  return true;
}

/// Reads all behind the key at `args[key]`.
bool read_query(CommandCall& call, std::size_t key, const Fixed& fixed, Query& query) {
  if (!read_options(call, key + 3, fixed, query)) return false;
  const bool turned = query.range.reversed && query.range.kind != Range::Kind::rank;
  const std::string_view first = call.args[key + 1];
  const std::string_view second = call.args[key + 2];
  return read_bounds(call, turned ? second : first, turned ? first : second, query.range);
}

void show(CommandCall& call, Query query, const Fixed& fixed) {
  if (!read_query(call, 1, fixed, query)) return;
  const SortedSet* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  if (set == nullptr) return call.reply.array(0);
  const std::vector<const Scored*> found = select(*set, query.range);
  const bool pairs = query.with_scores && call.protocol == Protocol::resp3;
  call.reply.array(query.with_scores && !pairs ? found.size() * 2 : found.size());
  for (const Scored* const item : found) {
    if (pairs) call.reply.array(2);
    call.reply.bulk(item->second);
    if (query.with_scores) reply_score(call, item->first);
  }
}

Query query_of(Range::Kind kind, bool reversed) {
  Query query;
  query.range.kind = kind;
  query.range.reversed = reversed;
  return query;
}

void run_zrange(CommandCall& call) { show(call, {}, {}); }
void run_zrevrange(CommandCall& call) { show(call, query_of(Range::Kind::rank, true), {true, true}); }
void run_zrangebyscore(CommandCall& call) { show(call, query_of(Range::Kind::score, false), {true, true}); }
void run_zrevrangebyscore(CommandCall& call) { show(call, query_of(Range::Kind::score, true), {true, true}); }
void run_zrangebylex(CommandCall& call) { show(call, query_of(Range::Kind::lex, false), {true, true}); }
void run_zrevrangebylex(CommandCall& call) { show(call, query_of(Range::Kind::lex, true), {true, true}); }

void run_zrangestore(CommandCall& call) {
  Query query;
  Fixed fixed;
  fixed.stores = true;
  if (!read_query(call, 2, fixed, query)) return;
  const SortedSet* set = nullptr;
  if (!find_typed(call, call.args[2], set)) return;
  SortedSet result;
  if (set != nullptr) {
    for (const Scored* const item : select(*set, query.range)) {
      put_score(result, item->second, item->first, call.server.config.limits);
    }
  }
  store_result(call, call.args[1], std::move(result));
}

void count(CommandCall& call, Range::Kind kind) {
  Range range;
  range.kind = kind;
  const SortedSet* set = nullptr;
  if (!read_bounds(call, call.args[2], call.args[3], range) || !find_typed(call, call.args[1], set)) return;
  call.reply.integer(set == nullptr ? 0 : static_cast<std::int64_t>(select(*set, range).size()));
}

void run_zcount(CommandCall& call) { count(call, Range::Kind::score); }
void run_zlexcount(CommandCall& call) { count(call, Range::Kind::lex); }

void remove(CommandCall& call, Range::Kind kind, std::string_view cause) {
  Range range;
  range.kind = kind;
  const SortedSet* set = nullptr;
  if (!read_bounds(call, call.args[2], call.args[3], range) || !find_typed(call, call.args[1], set)) return;
  if (set == nullptr) return call.reply.integer(0);
  std::vector<std::string> members;
  for (const Scored* const item : select(*set, range)) members.push_back(item->second);
  if (!members.empty()) {
    call.server.keyspace.edit<SortedSet>(call.args[1], cause, [&](SortedSet& changed) {
      for (const std::string& member : members) remove_member(changed, member);
    });
  }
  call.reply.integer(static_cast<std::int64_t>(members.size()));
}

void run_zremrangebyrank(CommandCall& call) { remove(call, Range::Kind::rank, "ZREMRANGEBYRANK"); }
void run_zremrangebyscore(CommandCall& call) { remove(call, Range::Kind::score, "ZREMRANGEBYSCORE"); }
void run_zremrangebylex(CommandCall& call) { remove(call, Range::Kind::lex, "ZREMRANGEBYLEX"); }

constexpr std::array table = {
    Command{"ZCOUNT", 4, flag_none, one_key, run_zcount},
    Command{"ZLEXCOUNT", 4, flag_none, one_key, run_zlexcount},
    Command{"ZRANGE", -4, flag_none, one_key, run_zrange},
    Command{"ZRANGEBYLEX", -4, flag_none, one_key, run_zrangebylex},
    Command{"ZRANGEBYSCORE", -4, flag_none, one_key, run_zrangebyscore},
    Command{"ZRANGESTORE", -5, flag_write | flag_denyoom, two_keys, run_zrangestore},
    Command{"ZREMRANGEBYLEX", 4, flag_write, one_key, run_zremrangebylex},
    Command{"ZREMRANGEBYRANK", 4, flag_write, one_key, run_zremrangebyrank},
    Command{"ZREMRANGEBYSCORE", 4, flag_write, one_key, run_zremrangebyscore},
    Command{"ZREVRANGE", -4, flag_none, one_key, run_zrevrange},
    Command{"ZREVRANGEBYLEX", -4, flag_none, one_key, run_zrevrangebylex},
    Command{"ZREVRANGEBYSCORE", -4, flag_none, one_key, run_zrevrangebyscore},
};

}  // namespace

std::span<const Command> sorted_range_commands() { return table; }

}  // namespace cohsim::valkey
