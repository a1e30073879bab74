// The table of commands: what the server knows of each, and the function that runs it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "lua/reply_buffer.h"
#include "sim/valkey/server.h"

namespace cohsim::valkey {

class ServerState;
struct Command;

/// One command being run. `reply` gets exactly one reply; texts written to it must live until the next command.
struct CommandCall {
  ServerState& server;
  const Command& command;
  ClientId client;
  std::span<const std::string_view> args;  ///< args[0] is the name as sent
  lua::ReplyBuffer& reply;
  bool from_script;
};

enum CommandFlags : std::uint8_t {
  flag_none = 0,
  flag_write = 1,
  flag_noscript = 2,       ///< refused inside scripts
  flag_replicates = 4,     ///< refused, as writes are, in a script with `flags=no-writes` (PUBLISH)
  flag_in_subscribed = 8,  ///< allowed in RESP2's subscribed mode
};

/// Where keys stand among the arguments: from `first`, up to `last` (negative: counted from the end), by `step`.
struct KeyPositions {
  int first = 0;  ///< 0: no keys
  int last = 0;
  int step = 0;
};

struct Command {
  std::string_view name;  ///< upper case
  int arity = 0;          ///< arguments with the name; negative: at least so many
  int flags = flag_none;
  KeyPositions keys;
  void (*run)(CommandCall&) = nullptr;  ///< null: real servers have it, this one does not simulate it
};

/// Case-insensitive; null where real servers have no such command either.
[[nodiscard]] const Command* find_command(std::string_view name);

[[nodiscard]] inline bool arity_fits(const Command& command, std::size_t arguments) {
  const int count = static_cast<int>(arguments);
  return command.arity >= 0 ? count == command.arity : count >= -command.arity;
}

/// "get" of "GET", as error texts want it.
[[nodiscard]] std::string lower_case(std::string_view text);
/// Whether an option or subcommand is the one named in upper case.
[[nodiscard]] bool is_word(std::string_view text, std::string_view upper_case_word);

// strings_commands.cpp
void run_get(CommandCall& call);
void run_set(CommandCall& call);
void run_getdel(CommandCall& call);
// keys_commands.cpp
void run_del(CommandCall& call);
void run_exists(CommandCall& call);
void run_type(CommandCall& call);
void run_keys(CommandCall& call);
void run_flushall(CommandCall& call);
// expiry_commands.cpp
void run_expire(CommandCall& call);
void run_ttl(CommandCall& call);
void run_persist(CommandCall& call);
// connection_commands.cpp
void run_ping(CommandCall& call);
void run_echo(CommandCall& call);
void run_time(CommandCall& call);
// channel_commands.cpp
void run_publish(CommandCall& call);
void run_subscribe(CommandCall& call);
void run_unsubscribe(CommandCall& call);
// script_commands.cpp
void run_eval(CommandCall& call);
void run_evalsha(CommandCall& call);
void run_script(CommandCall& call);

/// The commands of real servers that are not simulated: name, arity and flags (COMMAND of redis-server 7.0.15, with
/// noscript as Valkey 8 has it).
[[nodiscard]] std::span<const Command> unsimulated_commands();

namespace errors {
inline constexpr std::string_view syntax = "ERR syntax error";
inline constexpr std::string_view not_integer = "ERR value is not an integer or out of range";
}  // namespace errors

}  // namespace cohsim::valkey
