// ZADD and its kin, and what looks at single members (t_zset.c).
#include <array>
#include <cmath>

#include "sim/valkey/commands/sorted_values.h"

namespace cohsim::valkey {

namespace {

struct AddOptions {
  bool only_new = false;
  bool only_existing = false;
  bool only_greater = false;
  bool only_less = false;
  bool changed = false;  ///< CH
  bool increment = false;
};

struct Outcome {
  enum class Kind : std::uint8_t { refused, not_a_number, same, updated, added };
  Kind kind = Kind::refused;
  double score = 0;
};

Outcome outcome_of(const SortedSet* set, std::string_view member, double score, const AddOptions& options) {
  using Kind = Outcome::Kind;
  if (set == nullptr || set->scores.count(member) == 0) {
    return {options.only_existing ? Kind::refused : Kind::added, score};
  }
  const double before = set->scores.find(member)->second;
  if (options.only_new) return {Kind::refused, before};
  if (options.increment) score += before;
  if (std::isnan(score)) return {Kind::not_a_number, score};
  const bool stays = (options.only_less && score >= before) || (options.only_greater && score <= before);
  if (stays) return {Kind::refused, before};
  return {score == before ? Kind::same : Kind::updated, score};
}

struct Addition {
  double score;
  std::string_view member;
};

void add(CommandCall& call, std::span<const Addition> additions, const AddOptions& options) {
  using Kind = Outcome::Kind;
  const SortedSet* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  bool changes = false;
  Outcome last;
  for (const Addition& addition : additions) {
    last = outcome_of(set, addition.member, addition.score, options);
    if (last.kind == Kind::not_a_number) return call.reply.error("ERR resulting score is not a number (NaN)");
    changes = changes || last.kind >= Kind::updated;
  }
  std::int64_t added = 0;
  std::int64_t updated = 0;
  const auto apply = [&](SortedSet& changed) {
    for (const Addition& addition : additions) {
      const Outcome outcome = outcome_of(&changed, addition.member, addition.score, options);
      if (outcome.kind >= Kind::updated) {
        put_score(changed, addition.member, outcome.score, call.server.config.limits);
      }
      added += outcome.kind == Kind::added ? 1 : 0;
      updated += outcome.kind == Kind::updated ? 1 : 0;
    }
  };
  if (changes) call.server.keyspace.edit<SortedSet>(call.args[1], options.increment ? "ZINCR" : "ZADD", apply);
  if (!options.increment) return call.reply.integer(options.changed ? added + updated : added);
  if (last.kind == Kind::refused) return call.reply.nil();
  reply_score(call, last.score);
}

std::size_t read_add_options(std::span<const std::string_view> args, AddOptions& options) {
  std::size_t place = 2;
  for (; place < args.size(); ++place) {
    if (is_word(args[place], "NX")) {
      options.only_new = true;
    } else if (is_word(args[place], "XX")) {
      options.only_existing = true;
    } else if (is_word(args[place], "GT")) {
      options.only_greater = true;
    } else if (is_word(args[place], "LT")) {
      options.only_less = true;
    } else if (is_word(args[place], "CH")) {
      options.changed = true;
    } else if (is_word(args[place], "INCR")) {
      options.increment = true;
    } else {
      break;
    }
  }
  return place;
}

void run_zadd(CommandCall& call) {
  AddOptions options;
  const std::size_t first = read_add_options(call.args, options);
  const std::size_t texts = call.args.size() - first;
  if (texts == 0 || texts % 2 != 0) return call.reply.error(errors::syntax);
  if (options.only_new && options.only_existing) {
    return call.reply.error("ERR XX and NX options at the same time are not compatible");
  }
  if (int{options.only_new} + int{options.only_greater} + int{options.only_less} > 1) {
    return call.reply.error("ERR GT, LT, and/or NX options at the same time are not compatible");
  }
  if (options.increment && texts > 2) {
    return call.reply.error("ERR INCR option supports a single increment-element pair");
  }
  std::vector<Addition> additions;
  for (std::size_t place = first; place < call.args.size(); place += 2) {
    double score = 0;
    if (!read_score(call, call.args[place], score)) return;
    additions.push_back({score, call.args[place + 1]});
  }
  add(call, additions, options);
}

void run_zincrby(CommandCall& call) {
  AddOptions options;
  options.increment = true;
  Addition addition{0, call.args[3]};
  if (read_score(call, call.args[2], addition.score)) add(call, {&addition, 1}, options);
}

void run_zrem(CommandCall& call) {
  const SortedSet* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  bool any = false;
  for (const std::string_view member : call.args.subspan(2)) {
    any = any || (set != nullptr && set->scores.count(member) != 0);
  }
  std::int64_t removed = 0;
  const auto remove = [&](SortedSet& changed) {
    for (const std::string_view member : call.args.subspan(2)) removed += remove_member(changed, member) ? 1 : 0;
  };
  if (any) call.server.keyspace.edit<SortedSet>(call.args[1], "ZREM", remove);
  call.reply.integer(removed);
}

void run_zcard(CommandCall& call) {
  const SortedSet* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  call.reply.integer(set == nullptr ? 0 : static_cast<std::int64_t>(set->scores.size()));
}

void reply_score_of(CommandCall& call, const SortedSet* set, std::string_view member) {
  if (set == nullptr) return call.reply.nil();
  const auto place = set->scores.find(member);
  if (place == set->scores.end()) return call.reply.nil();
  reply_score(call, place->second);
}

void run_zscore(CommandCall& call) {
  const SortedSet* set = nullptr;
  if (find_typed(call, call.args[1], set)) reply_score_of(call, set, call.args[2]);
}

void run_zmscore(CommandCall& call) {
  const SortedSet* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  call.reply.array(call.args.size() - 2);
  for (const std::string_view member : call.args.subspan(2)) reply_score_of(call, set, member);
}

void rank(CommandCall& call, bool reversed) {
  const bool with_score = call.args.size() > 3;
  if (call.args.size() > 4) {
    return call.reply.error(call.reply.keep(wrong_arity(call.command)));
  }
  if (with_score && !is_word(call.args[3], "WITHSCORE")) return call.reply.error(errors::syntax);
  const SortedSet* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  if (set == nullptr || set->scores.count(call.args[2]) == 0) {
    if (with_score) return call.reply.null_array();
    return call.reply.nil();
  }
  const double score = set->scores.find(call.args[2])->second;
  const auto place = set->order.find({score, std::string(call.args[2])});
  const auto before = std::distance(set->order.begin(), place);
  const auto behind = static_cast<std::int64_t>(set->order.size()) - 1 - before;
  if (with_score) call.reply.array(2);
  call.reply.integer(reversed ? behind : before);
  if (with_score) reply_score(call, score);
}

void run_zrank(CommandCall& call) { rank(call, false); }
void run_zrevrank(CommandCall& call) { rank(call, true); }

constexpr int grows = flag_write | flag_denyoom;

constexpr std::array table = {
    Command{"ZADD", -4, grows, one_key, run_zadd},
    Command{"ZCARD", 2, flag_none, one_key, run_zcard},
    Command{"ZINCRBY", 4, grows, one_key, run_zincrby},
    Command{"ZMSCORE", -3, flag_none, one_key, run_zmscore},
    Command{"ZRANK", -3, flag_grew, one_key, run_zrank},
    Command{"ZREM", -3, flag_write, one_key, run_zrem},
    Command{"ZREVRANK", -3, flag_grew, one_key, run_zrevrank},
    Command{"ZSCORE", 3, flag_none, one_key, run_zscore},
};

}  // namespace

std::span<const Command> sorted_set_commands() { return table; }

}  // namespace cohsim::valkey
