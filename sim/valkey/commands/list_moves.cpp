// LMOVE, RPOPLPUSH and their blocking forms (t_list.c).
#include <array>
#include <optional>

#include "sim/valkey/commands/waiting.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

struct Ends {
  End from = End::right;
  End to = End::left;
};

std::optional<End> read_end(std::string_view text) {
  if (is_word(text, "LEFT")) return End::left;
  if (is_word(text, "RIGHT")) return End::right;
  return std::nullopt;
}

bool read_ends(CommandCall& call, Ends& ends) {
  const auto from = read_end(call.args[3]);
  const auto to = read_end(call.args[4]);
  if (!from || !to) {
    call.reply.error(errors::syntax);
    return false;
  }
  ends = {*from, *to};
  return true;
}

/// As the server tells its listeners: what was pushed first, then what was popped.
void move_item(CommandCall& call, const List& source, Ends ends) {
  Keyspace& keyspace = call.server.keyspace;
  const std::string_view from = call.args[1];
  const std::string_view to = call.args[2];
  const std::string_view pushed = ends.to == End::left ? "LPUSH" : "RPUSH";
  const std::string_view popped = ends.from == End::left ? "LPOP" : "RPOP";
  const std::string_view item = call.reply.keep(source.at(ends.from));
  const std::int64_t limit = call.server.config.limits.list_size;
  if (from == to) {
    keyspace.edit<List>(from, pushed, [&](List& list) {
      list.pop(ends.from);
      list.make_room(item.size(), 1, limit);
      list.push(ends.to, item);
      list.settle(limit);
    });
    keyspace.set_deadline(from, keyspace.find(from)->deadline_ms, popped);
  } else {
    keyspace.edit<List>(to, pushed, [&](List& list) {
      list.make_room(item.size(), 1, limit);
      list.push(ends.to, item);
    });
    keyspace.edit<List>(from, popped, [&](List& list) {
      list.pop(ends.from);
      list.settle(limit);
    });
  }
  call.reply.bulk(item);
}

/// False where there is nothing to move; else the reply is written.
bool try_move(CommandCall& call, Ends ends) {
  const List* source = nullptr;
  const List* target = nullptr;
  if (!find_typed(call, call.args[1], source)) return true;
  if (source == nullptr) return false;
  if (!find_typed(call, call.args[2], target) || !find_typed(call, call.args[1], source)) return true;
  move_item(call, *source, ends);
  return true;
}

void run_rpoplpush(CommandCall& call) {
  if (!try_move(call, {})) call.reply.nil();
}

void run_lmove(CommandCall& call) {
  Ends ends;
  if (read_ends(call, ends) && !try_move(call, ends)) call.reply.nil();
}

void move_or_wait(CommandCall& call, Ends ends) {
  std::int64_t deadline_us = 0;
  if (!read_timeout(call, call.args.back(), deadline_us) || try_move(call, ends)) return;
  if (!call.may_block) return call.reply.nil();
  wait_for(call, call.args.subspan(1, 1), "list", deadline_us);
}

void run_brpoplpush(CommandCall& call) { move_or_wait(call, {}); }

void run_blmove(CommandCall& call) {
  Ends ends;
  if (read_ends(call, ends)) move_or_wait(call, ends);
}

constexpr int grows = flag_write | flag_denyoom;

constexpr std::array table = {
    Command{"BLMOVE", 6, grows | flag_blocking, two_keys, run_blmove},
    Command{"BRPOPLPUSH", 4, grows | flag_blocking, two_keys, run_brpoplpush},
    Command{"LMOVE", 5, grows, two_keys, run_lmove},
    Command{"RPOPLPUSH", 3, grows, two_keys, run_rpoplpush},
};

}  // namespace

std::span<const Command> list_move_commands() { return table; }

}  // namespace cohsim::valkey
