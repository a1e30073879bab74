// OBJECT: how a server holds a value (object.c).
#include <array>

#include "sim/valkey/command.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

std::string_view string_encoding(const Row& row) {
  constexpr std::size_t embedded_most = 44;
  if (row.form == Row::Form::raw) return "raw";
  if (row.form == Row::Form::by_value && read_integer(row.bytes)) return "int";
  return row.bytes.size() <= embedded_most ? "embstr" : "raw";
}

std::string_view set_encoding(Set::Form form) {
  switch (form) {
    case Set::Form::intset:
      return "intset";
    case Set::Form::listpack:
      return "listpack";
    case Set::Form::hashtable:
      return "hashtable";
  }
  return {};
}

std::string_view encoding_of(const Row& row, const Personality& personality) {
  if (row.is_string()) return string_encoding(row);
  if (const auto* const set = row.as<Set>()) return set_encoding(set->form);
  if (const auto* const list = row.as<List>()) {
    return list->encoding == Encoding::small && personality.has_list_listpack ? "listpack" : "quicklist";
  }
  if (const auto* const sorted = row.as<SortedSet>()) {
    return sorted->encoding == Encoding::small ? "listpack" : "skiplist";
  }
  if (row.as<Stream>() != nullptr) return "stream";
  return row.as<Hash>()->encoding == Encoding::small ? "listpack" : "hashtable";
}

void run_encoding(CommandCall& call) {
  const Row* const row = call.server.keyspace.look(call.args[2]);
  if (row == nullptr) return call.reply.nil();
  call.reply.bulk(encoding_of(*row, call.server.personality()));
}

/// Small integers are shared by all who hold them, and counted as if for ever.
void run_refcount(CommandCall& call) {
  constexpr std::int64_t shared_integers = 10'000;
  constexpr std::int64_t shared = 2'147'483'647;
  const Row* const row = call.server.keyspace.look(call.args[2]);
  if (row == nullptr) return call.reply.nil();
  const bool may_share = row->is_string() && row->form == Row::Form::by_value;
  const auto number = may_share ? read_integer(row->bytes) : std::nullopt;
  call.reply.integer(number && *number >= 0 && *number < shared_integers ? shared : 1);
}

void run_freq(CommandCall& call) {
  if (call.server.keyspace.look(call.args[2]) == nullptr) return call.reply.nil();
  call.reply.error(
      "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching "
      "between policies at runtime LRU and LFU data will take some time to adjust.");
}

/// In whole seconds of the server's clock.
void run_idletime(CommandCall& call) {
  constexpr std::int64_t second_ms = 1000;
  const Row* const row = call.server.keyspace.look(call.args[2]);
  if (row == nullptr) return call.reply.nil();
  call.reply.integer(call.server.keyspace.now_ms() / second_ms - row->used_ms / second_ms);
}

void run_help(CommandCall& call) {
  static constexpr std::array<std::string_view, 15> lines = {
      "OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
      "ENCODING <key>",
      "    Return the kind of internal representation used in order to store the value",
      "    associated with a <key>.",
      "FREQ <key>",
      "    Return the access frequency index of the <key>. The returned integer is",
      "    proportional to the logarithm of the recent access frequency of the key.",
      "IDLETIME <key>",
      "    Return the idle time of the <key>, that is the approximated number of",
      "    seconds elapsed since the last access to the key.",
      "REFCOUNT <key>",
      "    Return the number of references of the value associated with the specified",
      "    <key>.",
      "HELP",
      "    Prints this help.",
  };
  call.reply.array(lines.size());
  for (const std::string_view line : lines) call.reply.status(line);
}

constexpr KeyPositions behind_subcommand{2, 2, 1};

constexpr std::array subcommands = {
    Command{"OBJECT|ENCODING", 3, flag_none, behind_subcommand, run_encoding},
    Command{"OBJECT|FREQ", 3, flag_none, behind_subcommand, run_freq},
    Command{"OBJECT|HELP", 2, flag_none, no_keys, run_help},
    Command{"OBJECT|IDLETIME", 3, flag_none, behind_subcommand, run_idletime},
    Command{"OBJECT|REFCOUNT", 3, flag_none, behind_subcommand, run_refcount},
};

constexpr std::array table = {
    Command{"OBJECT", -2, flag_none, no_keys, nullptr, subcommands},
};

}  // namespace

std::span<const Command> object_commands() { return table; }

}  // namespace cohsim::valkey
