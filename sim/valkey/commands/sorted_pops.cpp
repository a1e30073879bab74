// ZPOPMIN, ZPOPMAX, ZMPOP and their blocking forms (t_zset.c).
#include <algorithm>
#include <array>

#include "sim/valkey/commands/many_pop.h"
#include "sim/valkey/commands/sorted_values.h"
#include "sim/valkey/commands/waiting.h"

namespace cohsim::valkey {

namespace {

enum class Shape : std::uint8_t { flat, pairs };

/// Takes `count` members, of which there are at least so many, and writes them with their scores.
void pop(CommandCall& call, std::string_view key, bool highest, std::size_t count, Shape shape) {
  call.server.keyspace.edit<SortedSet>(key, highest ? "ZPOPMAX" : "ZPOPMIN", [&](SortedSet& set) {
    for (std::size_t taken = 0; taken < count; ++taken) {
      const auto item = highest ? std::prev(set.order.end()) : set.order.begin();
      const double score = item->first;
      const std::string_view member = call.reply.keep(item->second);
      if (shape == Shape::pairs) call.reply.array(2);
      call.reply.bulk(member);
      reply_score(call, score);
      remove_member(set, member);
    }
  });
}

void pop_some(CommandCall& call, bool highest) {
  const bool many = call.args.size() > 2;
  if (call.args.size() > 3) return call.reply.error(errors::syntax);
  std::int64_t count = 1;
  if (many && !read_at_least(call, call.args[2], 0, "ERR value is out of range, must be positive", count)) return;
  const SortedSet* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  if (set == nullptr || count == 0) return call.reply.array(0);
  const auto taken = std::min(static_cast<std::uint64_t>(count), std::uint64_t{set->order.size()});
  const bool pairs = many && call.protocol == Protocol::resp3;
  call.reply.array(pairs ? taken : taken * 2);
  pop(call, call.args[1], highest, taken, pairs ? Shape::pairs : Shape::flat);
}

void run_zpopmin(CommandCall& call) { pop_some(call, false); }
void run_zpopmax(CommandCall& call) { pop_some(call, true); }

void pop_many(CommandCall& call, const ManyPop& wanted, std::string_view key, std::size_t size) {
  const auto count = std::min(static_cast<std::uint64_t>(wanted.count), std::uint64_t{size});
  call.reply.array(2);
  call.reply.bulk(call.reply.keep(std::string(key)));
  call.reply.array(count);
  pop(call, key, wanted.second, count, Shape::pairs);
}

void run_zmpop(CommandCall& call) {
  ManyPop wanted;
  if (!read_many_pop(call, 1, "MIN", "MAX", wanted)) return;
  std::string_view key;
  const SortedSet* set = nullptr;
  if (!find_first(call, wanted.keys, key, set)) return;
  if (set == nullptr) return call.reply.null_array();
  pop_many(call, wanted, key, set->order.size());
}

void run_bzmpop(CommandCall& call) {
  ManyPop wanted;
  std::int64_t deadline_us = 0;
  if (!read_many_pop(call, 2, "MIN", "MAX", wanted) || !read_timeout(call, call.args[1], deadline_us)) return;
  std::string_view ready;
  std::string_view key;
  const SortedSet* set = nullptr;
  if (!find_first(call, keys_to_try(call, wanted.keys, ready), key, set)) return;
  if (set == nullptr) return wait_for(call, wanted.keys, "zset", deadline_us);
  pop_many(call, wanted, key, set->order.size());
}

void blocking_pop(CommandCall& call, bool highest) {
  std::int64_t deadline_us = 0;
  if (!read_timeout(call, call.args.back(), deadline_us)) return;
  const std::span<const std::string_view> keys = call.args.subspan(1, call.args.size() - 2);
  std::string_view ready;
  std::string_view key;
  const SortedSet* set = nullptr;
  if (!find_first(call, keys_to_try(call, keys, ready), key, set)) return;
  if (set == nullptr) return wait_for(call, keys, "zset", deadline_us);
  call.reply.array(3);
  call.reply.bulk(call.reply.keep(std::string(key)));
  pop(call, key, highest, 1, Shape::flat);
}

void run_bzpopmin(CommandCall& call) { blocking_pop(call, false); }
void run_bzpopmax(CommandCall& call) { blocking_pop(call, true); }

constexpr int blocks = flag_write | flag_blocking;
constexpr KeyPositions all_but_timeout{1, -2, 1};

constexpr std::array table = {
    Command{"BZMPOP", -5, blocks | flag_scripted, {0, 0, 0, 2}, run_bzmpop},
    Command{"BZPOPMAX", -3, blocks, all_but_timeout, run_bzpopmax},
    Command{"BZPOPMIN", -3, blocks, all_but_timeout, run_bzpopmin},
    Command{"ZMPOP", -4, flag_write, {0, 0, 0, 1}, run_zmpop},
    Command{"ZPOPMAX", -2, flag_write, one_key, run_zpopmax},
    Command{"ZPOPMIN", -2, flag_write, one_key, run_zpopmin},
};

}  // namespace

std::span<const Command> sorted_pop_commands() { return table; }

}  // namespace cohsim::valkey
