// DEL, UNLINK, EXISTS, TYPE, KEYS, FLUSHALL (db.c).
#include <array>

#include "sim/valkey/command.h"
#include "sim/valkey/glob.h"
#include "sim/valkey/server_state.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

void run_del(CommandCall& call) {
  std::int64_t removed = 0;
  for (const std::string_view key : call.args.subspan(1)) {
    if (call.server.keyspace.erase(key, "DEL")) ++removed;
  }
  call.reply.integer(removed);
}

void run_exists(CommandCall& call) {
  std::int64_t found = 0;
  for (const std::string_view key : call.args.subspan(1)) {
    if (call.server.keyspace.find(key) != nullptr) ++found;
  }
  call.reply.integer(found);
}

void run_type(CommandCall& call) {
  call.reply.status(type_name(call.server.keyspace.find(call.args[1])));
}

/// In key order, where a real server has the order of its hash table.
void run_keys(CommandCall& call) {
  const Keyspace& keyspace = call.server.keyspace;
  const std::size_t place = call.reply.size();
  call.reply.array(0);
  std::size_t found = 0;
  for (const auto& [key, row] : keyspace.rows()) {
    if (!keyspace.is_live(row, keyspace.now_ms()) || !glob_matches(call.args[1], key)) continue;
    call.reply.bulk(key);
    ++found;
  }
  call.reply.set_items(place, found);
}

void run_flushall(CommandCall& call) {
  const bool known = call.args.size() == 1 ||
                     (call.args.size() == 2 && (is_word(call.args[1], "ASYNC") || is_word(call.args[1], "SYNC")));
  if (!known) return call.reply.error(errors::syntax);
  call.server.keyspace.clear_all(call.command.name);
  call.reply.status("OK");
}

constexpr std::array table = {
    Command{"DEL", -2, flag_write, all_keys, run_del},
    Command{"EXISTS", -2, flag_none, all_keys, run_exists},
    Command{"FLUSHALL", -1, flag_write, no_keys, run_flushall},
    Command{"KEYS", 2, flag_none, no_keys, run_keys},
    Command{"TYPE", 2, flag_none, one_key, run_type},
    Command{"UNLINK", -2, flag_write, all_keys, run_del},
};

}  // namespace

std::span<const Command> key_commands() { return table; }

}  // namespace cohsim::valkey
