// MEMORY: what a real server knows of its allocator, as far as it means something here (object.c).
#include <array>

#include "sim/valkey/commands/help.h"
#include "sim/valkey/commands/number_args.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

/// About as much as INFO counts for the row.
void run_usage(CommandCall& call) {
  for (std::size_t place = 3; place < call.args.size(); place += 2) {
    if (!is_word(call.args[place], "SAMPLES") || place + 1 == call.args.size()) return call.reply.error(errors::syntax);
    std::int64_t samples = 0;
    if (!read_number(call, call.args[place + 1], samples)) return;
    if (samples < 0) return call.reply.error(errors::syntax);
  }
  const Row* const row = call.server.keyspace.look(call.args[2]);
  if (row == nullptr) return call.reply.nil();
  call.reply.integer(Keyspace::bytes_of(call.args[2], *row));
}

void run_doctor(CommandCall& call) { call.reply.bulk("A simulated server: its memory has no trouble.\n"); }
void run_purge(CommandCall& call) { call.reply.status("OK"); }

constexpr KeyPositions behind_subcommand{2, 2, 1};

constexpr std::array subcommands = {
    Command{"MEMORY|DOCTOR", 2, flag_none, no_keys, run_doctor},
    Command{"MEMORY|HELP", 2, flag_none, no_keys, run_container_help},
    Command{"MEMORY|MALLOC-STATS", 2},
    Command{"MEMORY|PURGE", 2, flag_none, no_keys, run_purge},
    Command{"MEMORY|STATS", 2},
    Command{"MEMORY|USAGE", -3, flag_none, behind_subcommand, run_usage},
};

constexpr std::array table = {
    Command{"MEMORY", -2, flag_none, no_keys, nullptr, subcommands},
};

}  // namespace

std::span<const Command> memory_commands() { return table; }

}  // namespace cohsim::valkey
