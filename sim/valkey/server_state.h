// Internal to sim/valkey: what the commands see of the server.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lua/collation.h"
#include "lua/interpreter.h"
#include "sim/valkey/blocking.h"
#include "sim/valkey/client.h"
#include "sim/valkey/command.h"
#include "sim/valkey/keyspace.h"
#include "sim/valkey/script_cache.h"
#include "sim/valkey/server.h"
#include "sim/valkey/subscriptions.h"

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
  /// Runs a cached script for EVAL or EVALSHA: `args` are the whole command, the keys begin at args[3].
  void run_script(const CachedScript& script, std::size_t keys, CommandCall& call);
  /// SELECT: for the client, or for what is left of the script.
  void select(CommandCall& call, int database);
  void publish(ClientId subscriber, std::string_view channel, std::string_view payload);
  void remember_not_simulated(std::string_view what, std::string_view place);
  void set_now(std::int64_t now);
  void begin_rehearsal();
  void roll_back();
  /// Forgets scripts, and what they set in the libraries of Lua.
  void flush_scripts();
  void restart(bool keep_rows);
  [[nodiscard]] const Personality& personality() const { return *settings.personality; }

  // lua::ScriptHost
  bool call(std::span<const std::string_view> args, int resp, lua::ReplyBuffer& reply) override;
  [[nodiscard]] bool knows_command(std::string_view name) const override;
  void not_simulated(std::string_view what, std::string_view place) override { remember_not_simulated(what, place); }
  // KeyListener
  void key_changed(int database, std::string_view key, bool existed, const Row* after, std::string_view cause) override;

  lua::Interpreter& interpreter;
  Server::Settings settings;
  Keyspace keyspace;
  Subscriptions subscriptions;
  ScriptCache scripts;
  Blocking blocking;
  std::map<ClientId, Client> clients;
  lua::Random48 choices;           ///< behind what commands pick by chance; scripts have their own
  std::int64_t now_us = 0;         ///< of the command that runs; frozen in a script
  ScriptReport* report = nullptr;  ///< where the command that runs is to be reported
  std::string first_not_simulated;

 private:
  /// The command, or its subcommand; null, with the rejection written, where the server refuses it before running it.
  const Command* admit(Client& client, std::span<const std::string_view> args, lua::ReplyBuffer& reply);
  void touch_keys(const Command& command, std::span<const std::string_view> args);

  struct Saved {
    Subscriptions subscriptions;
    lua::Random48 random;
    lua::Random48 choices;
    lua::JsonSettings json;
    std::int64_t now_us = 0;
  };

  lua::Collation collation_;
  lua::Random48 random_;
  lua::JsonSettings json_;
  bool rehearsing_ = false;
  Saved saved_;
  Client* last_client_ = nullptr;  ///< the one that `client` found last

  // Of the script that runs.
  Client* script_client_ = nullptr;
  bool script_no_writes_ = false;
};

}  // namespace cohsim::valkey
