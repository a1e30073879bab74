// Keys whatever they hold: DEL, EXISTS, TYPE, KEYS, RENAME, COPY, MOVE (db.c).
#include <array>

#include "sim/valkey/arguments.h"
#include "sim/valkey/command.h"
#include "sim/valkey/glob.h"
#include "sim/valkey/server_state.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

constexpr std::string_view same_object = "ERR source and destination objects are the same";

/// Another database for as long as it lives.
class InDatabase {
 public:
  InDatabase(Keyspace& keyspace, int database) : keyspace_(keyspace), before_(keyspace.database()) {
    keyspace_.select(database);
  }
  ~InDatabase() { keyspace_.select(before_); }
  InDatabase(const InDatabase&) = delete;
  InDatabase& operator=(const InDatabase&) = delete;

 private:
  Keyspace& keyspace_;
  int before_;
};

/// DEL and UNLINK.
void run_del(CommandCall& call) {
  std::int64_t removed = 0;
  for (const std::string_view key : call.args.subspan(1)) {
    if (call.server.keyspace.erase(key, "DEL")) ++removed;
  }
  call.reply.integer(removed);
}

void run_exists(CommandCall& call) {
  std::int64_t found = 0;
  for (const std::string_view key : call.args.subspan(1)) found += call.server.keyspace.look_or_miss(key) != nullptr ? 1 : 0;
  call.reply.integer(found);
}

void run_touch(CommandCall& call) {
  std::int64_t found = 0;
  for (const std::string_view key : call.args.subspan(1)) found += call.server.keyspace.find(key) != nullptr ? 1 : 0;
  call.reply.integer(found);
}

void run_type(CommandCall& call) { call.reply.status(type_name(call.server.keyspace.look_or_miss(call.args[1]))); }

/// In key order, where a real server has the order of its hash table.
void run_keys(CommandCall& call) {
  const Keyspace& keyspace = call.server.keyspace;
  const std::size_t place = call.reply.size();
  call.reply.array(0);
  std::size_t found = 0;
  for (const auto& [key, row] : keyspace.rows()) {
    if (!keyspace.is_live(row, keyspace.now_ms())) continue;
    if (call.args[1] != "*" && !glob_matches(call.args[1], key)) continue;
    call.reply.bulk(key);
    ++found;
  }
  call.reply.set_items(place, found);
}

/// RENAME and RENAMENX.
void run_rename(CommandCall& call) {
  Keyspace& keyspace = call.server.keyspace;
  const bool only_new = call.command.name == "RENAMENX";
  const Row* const found = keyspace.find(call.args[1]);
  if (found == nullptr) return call.reply.error("ERR no such key");
  const bool same = call.args[1] == call.args[2];
  if (only_new && (same || keyspace.find(call.args[2]) != nullptr)) return call.reply.integer(0);
  if (!same) {
    const Row row = *found;
    keyspace.erase(call.args[1], "RENAME_FROM");
    keyspace.put(call.args[2], row, "RENAME_TO");
  }
  if (only_new) {
    call.reply.integer(1);
  } else {
    call.reply.status("OK");
  }
}

void run_copy(CommandCall& call) {
  Keyspace& keyspace = call.server.keyspace;
  int database = keyspace.database();
  bool replace = false;
  for (std::size_t place = 3; place < call.args.size(); ++place) {
    if (is_option(call.args[place], "REPLACE")) {
      replace = true;
    } else if (is_option(call.args[place], "DB") && place + 1 < call.args.size()) {
      if (!read_database(call, call.args[++place], database)) return;
    } else {
      return call.reply.error(errors::syntax);
    }
  }
  if (database == keyspace.database() && call.args[1] == call.args[2]) return call.reply.error(same_object);
  const Row* const found = keyspace.find(call.args[1]);
  if (found == nullptr) return call.reply.integer(0);
  const Row row = *found;
  const InDatabase there(keyspace, database);
  if (keyspace.find(call.args[2]) != nullptr && !replace) return call.reply.integer(0);
  keyspace.put(call.args[2], row, "COPY_TO");
  call.reply.integer(1);
}

void run_move(CommandCall& call) {
  Keyspace& keyspace = call.server.keyspace;
  int database = 0;
  if (!read_database(call, call.args[2], database)) return;
  if (database == keyspace.database()) return call.reply.error(same_object);
  const Row* const found = keyspace.find(call.args[1]);
  if (found == nullptr) return call.reply.integer(0);
  const Row row = *found;
  {
    const InDatabase there(keyspace, database);
    if (keyspace.find(call.args[1]) != nullptr) return call.reply.integer(0);
  }
  keyspace.erase(call.args[1], "MOVE_FROM");
  const InDatabase there(keyspace, database);
  keyspace.put(call.args[1], row, "MOVE_TO");
  call.reply.integer(1);
}

constexpr std::array table = {
    Command{"COPY", -3, flag_write | flag_denyoom, two_keys, run_copy},
    Command{"DEL", -2, flag_write, all_keys, run_del},
    Command{"EXISTS", -2, flag_none, all_keys, run_exists},
    Command{"KEYS", 2, flag_none, no_keys, run_keys},
    Command{"MOVE", 3, flag_write, one_key, run_move},
    Command{"RENAME", 3, flag_write, two_keys, run_rename},
    Command{"RENAMENX", 3, flag_write, two_keys, run_rename},
    Command{"TOUCH", -2, flag_none, all_keys, run_touch},
    Command{"TYPE", 2, flag_none, one_key, run_type},
    Command{"UNLINK", -2, flag_write, all_keys, run_del},
};

}  // namespace

std::span<const Command> key_commands() { return table; }

}  // namespace cohsim::valkey
