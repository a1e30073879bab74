// Internal to sim/valkey: what the commands see of the server.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lua/collation.h"
#include "lua/interpreter.h"
#include "sim/valkey/command.h"
#include "sim/valkey/keyspace.h"
#include "sim/valkey/script_cache.h"
#include "sim/valkey/server.h"
#include "sim/valkey/subscriptions.h"

namespace cohsim::valkey {

/// One server. A command enters by `run_command`, a script's by `call`.
class ServerState final : public lua::ScriptHost {
 public:
  ServerState(lua::Interpreter& shared_interpreter, Server::Settings chosen);

  void run_command(ClientId client, std::span<const std::string_view> args, std::int64_t now, lua::ReplyBuffer& reply);
  /// Runs a cached script for EVAL or EVALSHA: `args` are the whole command, the keys begin at args[3].
  void run_script(const CachedScript& script, std::size_t keys, CommandCall& call);
  void publish(ClientId subscriber, std::string_view channel, std::string_view payload);
  void remember_not_simulated(std::string_view what, std::string_view place);
  void begin_rehearsal();
  void roll_back();
  void restart(bool keep_rows);

  // lua::ScriptHost
  bool call(std::span<const std::string_view> args, lua::ReplyBuffer& reply) override;
  [[nodiscard]] bool knows_command(std::string_view name) const override;
  void not_simulated(std::string_view what, std::string_view place) override { remember_not_simulated(what, place); }

  lua::Interpreter& interpreter;
  Server::Settings settings;
  Keyspace keyspace;
  Subscriptions subscriptions;
  ScriptCache scripts;
  std::int64_t now_us = 0;         ///< of the command that runs; frozen in a script
  ScriptReport* report = nullptr;  ///< where the command that runs is to be reported
  std::string first_not_simulated;

 private:
  /// Writes the rejection and answers true where the server refuses a client's command before running it.
  bool rejects(const Command* command, ClientId client, std::span<const std::string_view> args,
               lua::ReplyBuffer& reply);
  void touch_keys(const Command& command, std::span<const std::string_view> args);

  struct Saved {
    Subscriptions subscriptions;
    lua::Random48 random;
    std::int64_t now_us = 0;
  };

  lua::Collation collation_;
  lua::Random48 random_;
  bool rehearsing_ = false;
  Saved saved_;

  // Of the script that runs.
  ClientId script_client_ = 0;
  bool script_no_writes_ = false;
};

}  // namespace cohsim::valkey
