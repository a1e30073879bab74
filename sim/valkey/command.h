// The table of commands: what the server knows of each, and the function that runs it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lua/reply_buffer.h"
#include "sim/valkey/client.h"
#include "sim/valkey/server.h"

namespace cohsim::valkey {

class ServerState;
struct Command;

/// One command being run. `reply` gets exactly one reply (or, with `several_replies`, one of each channel); texts
/// written to it must live until the next command.
struct CommandCall {
  ServerState& server;
  const Command& command;  ///< of a subcommand: that one
  Client& client;
  std::span<const std::string_view> args;  ///< args[0] is the name as sent
  lua::ReplyBuffer& reply;
  bool from_script = false;
  /// The protocol that shapes of replies depend on: the client's, or the one that the script has set.
  Protocol protocol = Protocol::resp2;
  bool may_block = false;  ///< else a blocking command answers at once, as in scripts and transactions
  const Blocked* retried = nullptr;  ///< where a blocking command is tried again: what the client waited for
  bool several_replies = false;      ///< SUBSCRIBE and its kin answer one reply a channel, not one array
};

enum CommandFlags : std::uint16_t {
  flag_none = 0,
  flag_write = 1,
  flag_noscript = 2,       ///< refused inside scripts
  flag_replicates = 4,     ///< refused, as writes are, in a script with `flags=no-writes` (PUBLISH)
  flag_in_subscribed = 8,  ///< allowed in RESP2's subscribed mode
  flag_denyoom = 16,       ///< refused when memory is at its limit
  flag_no_multi = 32,      ///< refused inside MULTI
  flag_blocking = 64,
  flag_allow_busy = 128,   ///< answered while a script is busy
  flag_no_auth = 256,      ///< allowed before AUTH
  flag_valkey = 1024,      ///< a subcommand that redis-server 7.0 lacks
  flag_in_multi = 512,     ///< runs at once between MULTI and EXEC
  flag_grew = 2048,        ///< takes more arguments than in redis-server 7.0, where the smallest number is the only one
  flag_scripted = 4096,    ///< blocks, and yet 7.0 lets scripts call it
};

/// Where keys stand among the arguments: from `first`, up to `last` (negative: counted from the end), by `step`.
/// With `count_at` the number of keys stands there, and the keys follow it. With `half_behind` they are the first half of
/// what follows that word.
struct KeyPositions {
  int first = 0;  ///< 0: no keys
  int last = 0;
  int step = 0;
  int count_at = 0;
  std::string_view half_behind{};
};

struct Command {
  std::string_view name;  ///< upper case; of a subcommand "CONFIG|GET"
  int arity = 0;          ///< arguments with the name; negative: at least so many
  int flags = flag_none;
  KeyPositions keys{};
  void (*run)(CommandCall&) = nullptr;  ///< null: real servers have it, this one does not simulate it
  std::span<const Command> subcommands{};  ///< of a container; it runs itself where its `run` is not null
};

inline constexpr KeyPositions no_keys{};
inline constexpr KeyPositions one_key{1, 1, 1};
inline constexpr KeyPositions two_keys{1, 2, 1};
inline constexpr KeyPositions all_keys{1, -1, 1};

/// Case-insensitive; null where real servers have no such command either.
[[nodiscard]] const Command* find_command(std::string_view name);
/// Every command of real servers, simulated or not, in the order of names.
[[nodiscard]] std::vector<const Command*> all_commands();
/// The subcommand of a container, or null.
[[nodiscard]] const Command* find_subcommand(const Command& container, std::string_view name);

[[nodiscard]] inline bool arity_fits(const Command& command, std::size_t arguments, const Personality& personality) {
  const int count = static_cast<int>(arguments);
  if ((command.flags & flag_grew) != 0 && !personality.has_rank_score) return count == -command.arity;
  return command.arity >= 0 ? count == command.arity : count >= -command.arity;
}

/// "ERR wrong number of arguments for 'config|get' command".
[[nodiscard]] std::string wrong_arity(const Command& command);

/// Calls `visit` with each key of a command whose arity fits.
template <class Visit>
void visit_keys(const Command& command, std::span<const std::string_view> args, Visit visit);
/// How many keys an argument announces; 0 where it is no sensible number.
[[nodiscard]] std::size_t announced_keys(std::string_view argument, std::size_t arguments_left);

/// Writes an array of status lines, as HELP answers.
void reply_lines(CommandCall& call, std::initializer_list<std::string_view> lines);
/// A text as error messages show it, which are C strings on one line.
[[nodiscard]] std::string c_text(std::string_view text);
/// False, with the error written, where a client's name or the like has bytes that CLIENT LIST could not show.
bool check_client_text(CommandCall& call, std::string_view what, std::string_view text);

/// "get" of "GET", as error texts want it.
[[nodiscard]] std::string lower_case(std::string_view text);
[[nodiscard]] std::string upper_case(std::string_view text);
/// Whether an option or subcommand is the one named in upper case.
[[nodiscard]] bool is_word(std::string_view text, std::string_view upper_case_word);

// One table a file of commands/.
[[nodiscard]] std::span<const Command> bit_commands();
[[nodiscard]] std::span<const Command> channel_commands();
[[nodiscard]] std::span<const Command> client_commands();
[[nodiscard]] std::span<const Command> cluster_commands();
[[nodiscard]] std::span<const Command> common_text_commands();
[[nodiscard]] std::span<const Command> config_commands();
[[nodiscard]] std::span<const Command> connection_commands();
[[nodiscard]] std::span<const Command> command_commands();
[[nodiscard]] std::span<const Command> database_commands();
[[nodiscard]] std::span<const Command> expiry_commands();
[[nodiscard]] std::span<const Command> function_commands();
[[nodiscard]] std::span<const Command> handshake_commands();
[[nodiscard]] std::span<const Command> hash_commands();
[[nodiscard]] std::span<const Command> introspection_commands();
[[nodiscard]] std::span<const Command> key_commands();
[[nodiscard]] std::span<const Command> list_commands();
[[nodiscard]] std::span<const Command> list_edit_commands();
[[nodiscard]] std::span<const Command> list_move_commands();
[[nodiscard]] std::span<const Command> list_pop_commands();
[[nodiscard]] std::span<const Command> member_scan_commands();
[[nodiscard]] std::span<const Command> memory_commands();
[[nodiscard]] std::span<const Command> object_commands();
[[nodiscard]] std::span<const Command> random_commands();
[[nodiscard]] std::span<const Command> scan_commands();
[[nodiscard]] std::span<const Command> script_commands();
[[nodiscard]] std::span<const Command> set_commands();
[[nodiscard]] std::span<const Command> sorted_algebra_commands();
[[nodiscard]] std::span<const Command> sorted_pop_commands();
[[nodiscard]] std::span<const Command> sorted_range_commands();
[[nodiscard]] std::span<const Command> sorted_set_commands();
[[nodiscard]] std::span<const Command> stream_commands();
[[nodiscard]] std::span<const Command> string_commands();
[[nodiscard]] std::span<const Command> string_edit_commands();
[[nodiscard]] std::span<const Command> transaction_commands();
/// The commands of real servers that are not simulated: name, arity and flags (COMMAND of redis-server 7.0.15, with
/// noscript as Valkey 8 has it).
[[nodiscard]] std::span<const Command> unsimulated_commands();

namespace errors {
inline constexpr std::string_view syntax = "ERR syntax error";
inline constexpr std::string_view cross_slot = "CROSSSLOT Keys in request don't hash to the same slot";
inline constexpr std::string_view out_of_memory = "OOM command not allowed when used memory > 'maxmemory'.";
inline constexpr std::string_view not_integer = "ERR value is not an integer or out of range";
inline constexpr std::string_view wrong_type =
    "WRONGTYPE Operation against a key holding the wrong kind of value";
}  // namespace errors

template <class Visit>
void visit_keys(const Command& command, std::span<const std::string_view> args, Visit visit) {
  const KeyPositions& keys = command.keys;
  const int count = static_cast<int>(args.size());
  if (keys.first != 0) {
    const int last = keys.last < 0 ? count + keys.last : keys.last;
    for (int place = keys.first; place <= last && place < count; place += keys.step) {
      visit(args[static_cast<std::size_t>(place)]);
    }
  }
  if (keys.count_at != 0 && keys.count_at < count) {
    const auto at = static_cast<std::size_t>(keys.count_at);
    const std::size_t announced = announced_keys(args[at], args.size() - at - 1);
    for (std::size_t key = 0; key < announced; ++key) visit(args[at + 1 + key]);
  }
  if (!keys.half_behind.empty()) {
    std::size_t at = 1;
    while (at < args.size() && !is_word(args[at], keys.half_behind)) ++at;
    if (at == args.size()) return;
    for (std::size_t key = 0; key < (args.size() - at - 1) / 2; ++key) visit(args[at + 1 + key]);
  }
}

}  // namespace cohsim::valkey
