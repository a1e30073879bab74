#include "sim/valkey/server_state.h"

#include "sim/valkey/slots.h"

#include <fmt/format.h>

namespace cohsim::valkey {

ServerState::ServerState(lua::Interpreter& shared_interpreter, Server::Settings chosen)
    : interpreter(shared_interpreter),
      settings(std::move(chosen)),
      keyspace(settings.rows, this),
      scripts(shared_interpreter, *settings.personality),
      config(*settings.personality),
      collation_(std::make_unique<lua::Collation>(settings.collate)) {}

Client& ServerState::client(ClientId id) {
  if (last_client_ != nullptr && last_client_->id == id) return *last_client_;
  const auto [place, is_new] = clients.try_emplace(id);
  Client& found = place->second;
  last_client_ = &found;
  if (!is_new) return found;
  found.id = id;
  found.authenticated = config.requirepass.empty();
  found.since_us = now_us;
  return found;
}

void ServerState::forget(ClientId id) {
  const auto place = clients.find(id);
  if (place == clients.end()) return;
  subscriptions.drop(id);
  blocking.remove(place->second);
  watches.unwatch(place->second);
  stop_tracking(place->second);
  if (running_ == &place->second) running_ = nullptr;
  if (last_client_ == &place->second) last_client_ = nullptr;
  clients.erase(place);
}

void ServerState::set_now(std::int64_t now) {
  now_us = now;
  keyspace.set_now_ms(now / us_per_ms);
}

void ServerState::select(CommandCall& call, int database) {
  if (!call.from_script) call.client.database = database;
  keyspace.select(database);
}

void ServerState::run_script(const CachedScript& script, std::size_t keys, CommandCall& call) {
  constexpr std::size_t first_key = 3;
  script_client_ = &call.client;
  script_no_writes_ = script.compiled.flags.no_writes;
  script_wrote_ = false;
  script_out_of_memory_ = config.maxmemory != 0 && !script.compiled.flags.allow_oom && is_out_of_memory();
  if (script_out_of_memory_ && script.compiled.has_shebang && !script_no_writes_) {
    return call.reply.error(errors::out_of_memory);
  }
  if (settings.cluster) {
    if (script.compiled.flags.no_cluster) {
      return call.reply.error("ERR Can not run script on cluster, 'no-cluster' flag is set.");
    }
    script_keeps_slot_ = script.compiled.has_shebang && !script.compiled.flags.allow_cross_slot_keys;
    script_slot_ = keys == 0 ? no_slot : key_slot(call.args[first_key]);
  }
  lua::ScriptCall run;
  run.function = script.compiled.function;
  run.dialect = personality().dialect;
  run.sha1 = script.sha1;
  run.keys = call.args.subspan(first_key, keys);
  run.arguments = call.args.subspan(first_key + keys);
  run.host = this;
  run.random = &random_;
  run.json = &json_;
  run.collation = collation_.get();
  run.instruction_limit = settings.instruction_limit;
  lua::ScriptEnd end;
  interpreter.run(run, call.reply, end);
  keyspace.select(call.client.database);
  if (report != nullptr && end.endless) {
    report->endless = true;
    report->endless_at = std::move(end.endless_at);
  }
}

bool ServerState::call(std::span<const std::string_view> args, int resp, lua::ReplyBuffer& reply) {
  const Command* command = find_command(args[0]);
  if (command != nullptr && !command->subcommands.empty() && args.size() > 1) {
    command = find_subcommand(*command, args[1]);
  }
  if (command == nullptr) {
    reply.error(personality().unknown_in_script);
  } else if (!arity_fits(*command, args.size())) {
    reply.error(personality().arity_in_script);
  } else if ((command->flags & flag_noscript) != 0 ||
             ((command->flags & flag_blocking) != 0 && personality().blocks_in_scripts_error)) {
    reply.error("ERR This Redis command is not allowed from script");
  } else if (script_no_writes_ && (command->flags & (flag_write | flag_replicates)) != 0) {
    reply.error("ERR Write commands are not allowed from read-only scripts.");
  } else if (script_out_of_memory_ && !script_wrote_ && (command->flags & flag_denyoom) != 0) {
    reply.error(errors::out_of_memory);
  } else if (const std::string_view reason = slot_refusal(*command, args); !reason.empty()) {
    reply.error(reason);
  } else if (command->run == nullptr) {
    reply.error(reply.keep(fmt::format("ERR '{}' is not simulated", command->name)));
    return false;
  } else {
    if (report != nullptr) touch_keys(*command, args);
    running_args_ = args;
    if ((command->flags & flag_write) != 0) script_wrote_ = true;
    CommandCall call{*this, *command, *script_client_, args, reply, true, resp == 3 ? Protocol::resp3 : Protocol::resp2};
    command->run(call);
    if (script_client_->tracking.on) remember_read(*script_client_, *command, args);
  }
  return true;
}

std::string_view ServerState::slot_refusal(const Command& command, std::span<const std::string_view> args) {
  if (!settings.cluster) return {};
  const int slot = command_slot(command, args);
  if (slot == many_slots) return "ERR Script attempted to access a non local key in a cluster node";
  if (slot == no_slot || !script_keeps_slot_) return {};
  if (script_slot_ == no_slot) script_slot_ = slot;
  if (slot == script_slot_) return {};
  return "ERR Script attempted to access keys that do not hash to the same slot";
}

bool ServerState::knows_command(std::string_view name) const { return find_command(name) != nullptr; }

void ServerState::touch_keys(const Command& command, std::span<const std::string_view> args) {
  visit_keys(command, args, [&](std::string_view key) { report->keys_touched.emplace(key); });
}

void ServerState::remember_not_simulated(std::string_view what, std::string_view place) {
  if (!first_not_simulated.empty()) return;
  const Command* const command = find_command(what);
  const std::string name = command == nullptr ? std::string(what) : upper_case(what);
  first_not_simulated = place.empty() ? name : fmt::format("{}, called at {}", name, place);
}

void ServerState::begin_rehearsal() {
  rehearsing_ = true;
  saved_ = {subscriptions, std::nullopt, random_, choices, json_, now_us};
  keyspace.begin_rehearsal();
  scripts.begin_rehearsal();
}

void ServerState::roll_back() {
  scripts.roll_back();
  keyspace.roll_back();
  subscriptions = std::move(saved_.subscriptions);
  if (saved_.config) {
    config = std::move(*saved_.config);
    set_collation(config.has_collation() ? config.value("locale-collate") : std::string());
  }
  random_ = saved_.random;
  choices = saved_.choices;
  json_ = saved_.json;
  set_now(saved_.now_us);
  rehearsing_ = false;
}

void ServerState::flush_scripts() {
  scripts.clear();
  json_ = {};
}

void ServerState::before_config_change() {
  if (rehearsing_ && !saved_.config) saved_.config = config;
}

bool ServerState::set_collation(const std::string& locale) {
  const std::string& chosen = locale.empty() ? settings.collate : locale;
  if (!lua::available(chosen)) return false;
  collation_ = std::make_unique<lua::Collation>(chosen);
  return true;
}

void ServerState::restart(bool keep_rows) {
  subscriptions.clear();
  blocking.clear();
  watches.clear();
  tracking.clear();
  clients.clear();
  running_ = nullptr;
  last_client_ = nullptr;
  flush_scripts();
  random_ = {};
  choices = {};
  if (!keep_rows) keyspace.clear_all("restart");
}

}  // namespace cohsim::valkey
