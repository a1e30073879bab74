// LPOP, RPOP, LMPOP and their blocking forms (t_list.c).
#include <algorithm>
#include <array>

#include "sim/valkey/commands/many_pop.h"
#include "sim/valkey/commands/waiting.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

/// Takes `count` items of the list, which has at least so many, and writes them behind one another.
void pop(CommandCall& call, std::string_view key, End end, std::size_t count) {
  call.server.keyspace.edit<List>(key, end == End::left ? "LPOP" : "RPOP", [&](List& list) {
    for (std::size_t taken = 0; taken < count; ++taken) call.reply.bulk(call.reply.keep(list.pop(end)));
    list.settle(call.server.config.limits.list_size);
  });
}

void pop_one_or_many(CommandCall& call, End end) {
  const bool many = call.args.size() > 2;
  if (call.args.size() > 3) return call.reply.error(call.reply.keep(wrong_arity(call.command)));
  std::int64_t count = 1;
  if (many && !read_at_least(call, call.args[2], 0, "ERR value is out of range, must be positive", count)) return;
  const List* list = nullptr;
  if (!find_typed(call, call.args[1], list)) return;
  if (list == nullptr) {
    if (many) return call.reply.null_array();
    return call.reply.nil();
  }
  const auto taken = std::min(static_cast<std::uint64_t>(count), std::uint64_t{list->size()});
  if (many) call.reply.array(taken);
  if (taken > 0) pop(call, call.args[1], end, taken);
}

void run_lpop(CommandCall& call) { pop_one_or_many(call, End::left); }
void run_rpop(CommandCall& call) { pop_one_or_many(call, End::right); }

void pop_many(CommandCall& call, const ManyPop& wanted, std::string_view key, std::size_t size) {
  const auto count = std::min(static_cast<std::uint64_t>(wanted.count), std::uint64_t{size});
  call.reply.array(2);
  call.reply.bulk(call.reply.keep(std::string(key)));
  call.reply.array(count);
  pop(call, key, wanted.second ? End::right : End::left, count);
}

void run_lmpop(CommandCall& call) {
  ManyPop wanted;
  if (!read_many_pop(call, 1, "LEFT", "RIGHT", wanted)) return;
  std::string_view key;
  const List* list = nullptr;
  if (!find_first(call, wanted.keys, key, list)) return;
  if (list == nullptr) return call.reply.null_array();
  pop_many(call, wanted, key, list->size());
}

void run_blmpop(CommandCall& call) {
  ManyPop wanted;
  std::int64_t deadline_us = 0;
  if (!read_many_pop(call, 2, "LEFT", "RIGHT", wanted) || !read_timeout(call, call.args[1], deadline_us)) return;
  std::string_view ready;
  std::string_view key;
  const List* list = nullptr;
  if (!find_first(call, keys_to_try(call, wanted.keys, ready), key, list)) return;
  if (list == nullptr) return wait_for(call, wanted.keys, "list", deadline_us);
  pop_many(call, wanted, key, list->size());
}

void blocking_pop(CommandCall& call, End end) {
  std::int64_t deadline_us = 0;
  if (!read_timeout(call, call.args.back(), deadline_us)) return;
  const std::span<const std::string_view> keys = call.args.subspan(1, call.args.size() - 2);
  std::string_view ready;
  std::string_view key;
  const List* list = nullptr;
  if (!find_first(call, keys_to_try(call, keys, ready), key, list)) return;
  if (list == nullptr) return wait_for(call, keys, "list", deadline_us);
  call.reply.array(2);
  call.reply.bulk(call.reply.keep(std::string(key)));
  pop(call, key, end, 1);
}

void run_blpop(CommandCall& call) { blocking_pop(call, End::left); }
void run_brpop(CommandCall& call) { blocking_pop(call, End::right); }

constexpr int blocks = flag_write | flag_blocking;
constexpr KeyPositions all_but_timeout{1, -2, 1};

constexpr std::array table = {
    Command{"BLMPOP", -5, blocks | flag_scripted, {0, 0, 0, 2}, run_blmpop},
    Command{"BLPOP", -3, blocks, all_but_timeout, run_blpop},
    Command{"BRPOP", -3, blocks, all_but_timeout, run_brpop},
    Command{"LMPOP", -4, flag_write, {0, 0, 0, 1}, run_lmpop},
    Command{"LPOP", -2, flag_write, one_key, run_lpop},
    Command{"RPOP", -2, flag_write, one_key, run_rpop},
};

}  // namespace

std::span<const Command> list_pop_commands() { return table; }

}  // namespace cohsim::valkey
