// Whole databases: DBSIZE, FLUSHDB, FLUSHALL, SWAPDB (db.c). SELECT belongs to the connection.
#include <array>
#include <limits>

#include "sim/valkey/arguments.h"
#include "sim/valkey/command.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

/// Rows past their deadline that nothing has looked at count, as in a real server without its background cycle.
void run_dbsize(CommandCall& call) {
  call.reply.integer(static_cast<std::int64_t>(call.server.keyspace.rows().size()));
}

/// FLUSHDB and FLUSHALL.
void run_flush(CommandCall& call) {
  const bool known = call.args.size() == 1 ||
                     (call.args.size() == 2 && (is_option(call.args[1], "ASYNC") || is_option(call.args[1], "SYNC")));
  if (!known) return call.reply.error(errors::syntax);
  if (call.command.name == "FLUSHDB") {
    call.server.keyspace.clear(call.command.name);
  } else {
    call.server.keyspace.clear_all(call.command.name);
  }
  call.reply.status("OK");
}

void run_swapdb(CommandCall& call) {
  using Limits = std::numeric_limits<std::int32_t>;
  std::int64_t one = 0;
  std::int64_t other = 0;
  if (!read_bounded(call, call.args[1], Limits::min(), Limits::max(), one, "ERR invalid first DB index")) return;
  if (!read_bounded(call, call.args[2], Limits::min(), Limits::max(), other, "ERR invalid second DB index")) return;
  const auto exists = [](std::int64_t database) { return database >= 0 && database < Keyspace::databases; };
  if (!exists(one) || !exists(other)) return call.reply.error("ERR DB index is out of range");
  call.server.keyspace.swap(static_cast<int>(one), static_cast<int>(other), call.command.name);
  call.reply.status("OK");
}

constexpr std::array table = {
    Command{"DBSIZE", 1, flag_none, no_keys, run_dbsize},
    Command{"FLUSHALL", -1, flag_write, no_keys, run_flush},
    Command{"FLUSHDB", -1, flag_write, no_keys, run_flush},
    Command{"SWAPDB", 3, flag_write, no_keys, run_swapdb},
};

}  // namespace

std::span<const Command> database_commands() { return table; }

}  // namespace cohsim::valkey
