// Internal to sim/valkey: what the commands see of the server.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lua/collation.h"
#include "lua/interpreter.h"
#include "sim/valkey/blocking.h"
#include "sim/valkey/client.h"
#include "sim/valkey/command.h"
#include "sim/valkey/config.h"
#include "sim/valkey/keyspace.h"
#include "sim/valkey/libraries.h"
#include "sim/valkey/script_cache.h"
#include "sim/valkey/server.h"
#include "sim/valkey/slow_script.h"
#include "sim/valkey/subscriptions.h"
#include "sim/valkey/tracking.h"
#include "sim/valkey/watches.h"

namespace cohsim::valkey {

/// One server. A command enters by `run_command`, a script's by `call`.
class ServerState final : public lua::ScriptHost, public KeyListener {
 public:
  ServerState(lua::Interpreter& shared_interpreter, Server::Settings chosen);

  /// The client of this name, made where it is new. Valid until `forget`.
  Client& client(ClientId id);
  void forget(ClientId id);

  /// Runs one command of a client, once. `may_block`: the client can wait; `reply` stays empty then.
  void run_command(Client& client, std::span<const std::string_view> args, std::int64_t now, lua::ReplyBuffer& reply,
                   bool may_block = false);
  /// Runs a script or a function, named so in errors: `args` are the whole command, the keys begin at args[3].
  void run_script(const lua::Compiled& script, std::string_view name, std::size_t keys, CommandCall& call);
  /// FUNCTION LOAD runs the code of a library.
  std::variant<std::shared_ptr<lua::FunctionLibrary>, lua::CompileError> load_library(std::string_view body);
  /// "BUSY …", while a script is slow.
  [[nodiscard]] std::string busy_text() const;
  /// SCRIPT KILL and FUNCTION KILL.
  void kill_script(CommandCall& call, bool of_function);
  /// Runs a command that had blocked its client again.
  void retry(CommandCall& call);
  /// SELECT: for the client, or for what is left of the script.
  void select(CommandCall& call, int database);
  /// EXEC of a transaction that may run: one reply a command.
  void run_transaction(CommandCall& exec);
  /// Ends a transaction without running it.
  void discard(Client& client);
  /// RESET: what the connection has set is taken back.
  void reset(Client& client);
  [[nodiscard]] bool needs_password(const Client& client) const {
    return !config.requirepass.empty() && !client.authenticated;
  }
  /// Tells all who listen to a channel, or a shard channel; the number of messages.
  std::size_t publish(Listening kind, std::string_view channel, std::string_view payload);
  /// Writes a message to a client of `receive`; to the one whose command runs, beside its reply.
  void push(Client& to, const lua::ReplyBuffer& message, bool behind_reply = false);
  /// What is pushed from now on goes to its client at once.
  void end_command() { running_ = nullptr; }
  /// Removes rows where the policy allows it; whether more memory is used than `maxmemory` still.
  bool is_out_of_memory();
  [[nodiscard]] std::int64_t used_memory() const;
  /// Ends a client's tracking; CLIENT TRACKING begins it.
  void stop_tracking(Client& client);
  /// What is told when a command, or all that came together, has ended.
  void tell_pending();
  void tell_broadcasts();
  /// The error of an argument that a subcommand does not know, or of too many of them.
  void wrong_subcommand(CommandCall& call);
  void before_config_change();
  /// Chooses the locale of scripts; false where the machine lacks it. Empty: that of the settings.
  bool set_collation(const std::string& locale);
  void remember_not_simulated(std::string_view what, std::string_view place);
  void set_now(std::int64_t now);
  void begin_rehearsal();
  void roll_back();
  /// Forgets scripts, and what they set in the libraries of Lua.
  void flush_scripts();
  void restart(bool keep_rows);
  [[nodiscard]] const Personality& personality() const { return *settings.personality; }

  /// The clock that TIME and new deadlines go by. What has expired is decided by the keyspace's.
  [[nodiscard]] std::int64_t clock_ms() const { return now_us / us_per_ms; }

  // lua::ScriptHost
  bool call(std::span<const std::string_view> args, int resp, lua::ReplyBuffer& reply) override;
  [[nodiscard]] bool knows_command(std::string_view name) const override;
  bool goes_on(std::uint64_t instructions, std::string_view place) override;
  void not_simulated(std::string_view what, std::string_view place) override { remember_not_simulated(what, place); }
  // KeyListener
  void key_changed(int database, std::string_view key, bool existed, const Row* after, std::string_view cause) override;
  void cleared() override;
  void key_missed(int database, std::string_view key) override;

  lua::Interpreter& interpreter;
  Server::Settings settings;
  Keyspace keyspace;
  Subscriptions subscriptions;
  ScriptCache scripts;
  Blocking blocking;
  Watches watches;
  Tracking tracking;
  Config config;
  Libraries libraries;
  SlowScript slow;                 ///< what others wait for
  std::map<ClientId, Client> clients;
  lua::Random48 choices;           ///< behind what commands pick by chance; scripts have their own
  std::int64_t now_us = 0;         ///< of the command that runs; in a script: as it sees the clock
  ScriptReport* report = nullptr;  ///< where the command that runs is to be reported
  std::string first_not_simulated;
  lua::ReplyBuffer self_pushes;           ///< to the client whose command runs, not written yet
  lua::ReplyBuffer later_pushes;          ///< the same, behind its reply in any case
  std::string written;                    ///< of the reply, in a protocol that the command has left since
  std::vector<ClientId> to_close;         ///< CLIENT KILL
  std::vector<std::pair<ClientId, bool>> to_unblock;  ///< CLIENT UNBLOCK; true: with an error
  [[nodiscard]] bool has_errands() const { return !to_close.empty() || !to_unblock.empty(); }
  bool active_expiry = true;              ///< DEBUG SET-ACTIVE-EXPIRE
  std::uint64_t commands_run = 0;

 private:
  /// The command, or its subcommand; null, with the rejection written, where the server refuses it before running it.
  const Command* admit(Client& client, std::span<const std::string_view> args, lua::ReplyBuffer& reply);
  void refuse(Client& client, const Command* command, std::string text, lua::ReplyBuffer& reply);
  /// Why a client may not run a command now that exists and has its arguments; empty where it may.
  [[nodiscard]] std::string refusal(const Client& client, const Command& command,
                                    std::span<const std::string_view> args);
  /// Whether there is anything at all to ask `refusal` about.
  [[nodiscard]] bool is_restricted(const Client& client) const;
  void queue(Client& client, const Command& command, std::span<const std::string_view> args, lua::ReplyBuffer& reply);
  /// Why a script may not run at all; empty where it may.
  [[nodiscard]] std::string_view script_refusal(const lua::Compiled& script, const CommandCall& call);
  /// Why a script's command may not run; empty where it may.
  [[nodiscard]] std::string_view call_refusal(const Command* command, std::span<const std::string_view> args);
  /// Notes that the reply of the command has to wait until its script would have ended.
  void become_slow(const lua::Compiled& script, std::string_view name, const CommandCall& call);
  /// Why a script's command may not touch its keys in cluster mode; empty where it may.
  [[nodiscard]] std::string_view slot_refusal(const Command& command, std::span<const std::string_view> args);
  void touch_keys(const Command& command, std::span<const std::string_view> args);
  void remember_keys(Client& client, const Command& command, std::span<const std::string_view> args);
  void remember_read(Client& client, const Command& command, std::span<const std::string_view> args);
  void send_message(ClientId to, std::string_view pattern, Listening kind, std::string_view channel,
                    std::string_view payload);
  void send_event(int kind, std::string_view event, int database, std::string_view key);
  void notify(int database, std::string_view key, bool existed, const Row* after, std::string_view cause);
  void invalidate(std::string_view key);
  void send_invalidation(ClientId to, const std::vector<std::string>& keys, bool flushed);

  struct Saved {
    Subscriptions subscriptions;
    std::optional<Config> config;  ///< where the rehearsed command has changed it
    lua::Random48 random;
    lua::Random48 choices;
    lua::JsonSettings json;
    lua::JsonSettings function_json;
    std::int64_t now_us = 0;
  };

  std::unique_ptr<lua::Collation> collation_;
  lua::Random48 random_;
  lua::JsonSettings json_;
  lua::JsonSettings function_json_;  ///< functions have a Lua state of their own
  bool rehearsing_ = false;
  Saved saved_;
  Client* last_client_ = nullptr;  ///< the one that `client` found last
  Client* running_ = nullptr;      ///< whose command runs
  std::span<const std::string_view> running_args_;  ///< of the command that runs, a script's command for its own

  // Of the script that runs.
  const CommandCall* script_call_ = nullptr;  ///< EVAL and its kin, while their script runs
  Client* script_client_ = nullptr;
  bool script_no_writes_ = false;
  bool script_out_of_memory_ = false;  ///< when it started
  bool script_wrote_ = false;
  std::int64_t script_began_us_ = 0;
  std::uint64_t script_instructions_ = 0;  ///< at the last look
  std::uint64_t script_patience_ = 0;      ///< so many instructions make it slow; 0: none
  std::string script_slow_at_;             ///< where it became slow; empty: it is not
  bool script_keeps_slot_ = false;  ///< cluster mode: all its keys must lie in one slot,
  int script_slot_ = -1;            ///< this one where it has had any
};

}  // namespace cohsim::valkey
