#include "sim/valkey/server_state.h"

#include <fmt/format.h>

namespace cohsim::valkey {

namespace {

/// Error texts are C strings on one line there.
std::string on_one_line(std::string_view text) {
  std::string line(text.substr(0, text.find('\0')));
  for (char& letter : line) {
    if (letter == '\r' || letter == '\n') letter = ' ';
  }
  return line;
}

std::string unknown_command(std::span<const std::string_view> args) {
  constexpr std::size_t shown_max = 128;
  std::string shown;
  for (std::size_t place = 1; place < args.size() && shown.size() < shown_max; ++place) {
    shown += fmt::format("'{}' ", on_one_line(args[place].substr(0, shown_max - shown.size())));
  }
  return fmt::format("ERR unknown command '{}', with args beginning with: {}",
                     on_one_line(args[0].substr(0, shown_max)), shown);
}

std::string unsimulated(std::string_view name) { return fmt::format("ERR '{}' is not simulated", name); }


/// "ERR wrong number of arguments for 'config|get' command".
std::string wrong_arity(const Command& command) {
  return fmt::format("ERR wrong number of arguments for '{}' command", lower_case(command.name));
}

std::string unknown_subcommand(const Command& container, std::string_view name) {
  return fmt::format("ERR unknown subcommand '{}'. Try {} HELP.", on_one_line(name.substr(0, 128)), container.name);
}

}  // namespace

ServerState::ServerState(lua::Interpreter& shared_interpreter, Server::Settings chosen)
    : interpreter(shared_interpreter),
      settings(std::move(chosen)),
      keyspace(settings.rows, this),
      scripts(shared_interpreter, settings.personality->dialect),
      collation_(settings.collate) {}

Client& ServerState::client(ClientId id) {
  if (last_client_ != nullptr && last_client_->id == id) return *last_client_;
  Client& found = clients[id];
  found.id = id;
  last_client_ = &found;
  return found;
}

void ServerState::forget(ClientId id) {
  const auto place = clients.find(id);
  if (place == clients.end()) return;
  subscriptions.drop(id);
  blocking.remove(place->second);
  if (last_client_ == &place->second) last_client_ = nullptr;
  clients.erase(place);
}

const Command* ServerState::admit(Client& client, std::span<const std::string_view> args, lua::ReplyBuffer& reply) {
  const Command* command = find_command(args[0]);
  if (command == nullptr) {
    reply.error(reply.keep(unknown_command(args)));
    return nullptr;
  }
  if (!command->subcommands.empty() && args.size() > 1) {
    const Command* const subcommand = find_subcommand(*command, args[1]);
    if (subcommand == nullptr) {
      reply.error(reply.keep(unknown_subcommand(*command, args[1])));
      return nullptr;
    }
    command = subcommand;
  }
  if (!arity_fits(*command, args.size())) {
    reply.error(reply.keep(wrong_arity(*command)));
  } else if (client.protocol == Protocol::resp2 && (command->flags & flag_in_subscribed) == 0 && subscriptions.any() &&
             subscriptions.count(client.id) != 0) {
    reply.error(
        reply.keep(fmt::format("ERR Can't execute '{}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / "
                               "RESET are allowed in this context",
                               lower_case(command->name))));
  } else if (command->run == nullptr) {
    remember_not_simulated(command->name, "");
    reply.error(reply.keep(unsimulated(command->name)));
  } else {
    return command;
  }
  return nullptr;
}

void ServerState::set_now(std::int64_t now) {
  now_us = now;
  keyspace.set_now_ms(now / us_per_ms);
}

void ServerState::run_command(Client& client, std::span<const std::string_view> args, std::int64_t now,
                              lua::ReplyBuffer& reply, bool may_block) {
  set_now(now);
  keyspace.select(client.database);
  reply.clear();
  const Command* const command = admit(client, args, reply);
  if (command == nullptr) return;
  CommandCall call{*this, *command, client, args, reply, false, client.protocol, may_block};
  command->run(call);
}

void ServerState::select(CommandCall& call, int database) {
  if (!call.from_script) call.client.database = database;
  keyspace.select(database);
}

void ServerState::key_changed(int database, std::string_view key, bool, const Row* after, std::string_view) {
  if (after != nullptr && blocking.any()) blocking.signal(database, key);
}

void ServerState::run_script(const CachedScript& script, std::size_t keys, CommandCall& call) {
  constexpr std::size_t first_key = 3;
  script_client_ = &call.client;
  script_no_writes_ = script.compiled.flags.no_writes;
  lua::ScriptCall run;
  run.function = script.compiled.function;
  run.dialect = personality().dialect;
  run.sha1 = script.sha1;
  run.keys = call.args.subspan(first_key, keys);
  run.arguments = call.args.subspan(first_key + keys);
  run.host = this;
  run.random = &random_;
  run.json = &json_;
  run.collation = &collation_;
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
  } else if (command->run == nullptr) {
    reply.error(reply.keep(unsimulated(command->name)));
    return false;
  } else {
    if (report != nullptr) touch_keys(*command, args);
    CommandCall call{*this, *command, *script_client_, args, reply, true, resp == 3 ? Protocol::resp3 : Protocol::resp2};
    command->run(call);
  }
  return true;
}

bool ServerState::knows_command(std::string_view name) const { return find_command(name) != nullptr; }

void ServerState::touch_keys(const Command& command, std::span<const std::string_view> args) {
  visit_keys(command, args, [&](std::string_view key) { report->keys_touched.emplace(key); });
}

void ServerState::publish(ClientId subscriber, std::string_view channel, std::string_view payload) {
  if (settings.pushes != nullptr && !rehearsing_) settings.pushes->push(subscriber, channel, payload);
}

void ServerState::remember_not_simulated(std::string_view what, std::string_view place) {
  if (!first_not_simulated.empty()) return;
  const Command* const command = find_command(what);
  const std::string name = command == nullptr ? std::string(what) : upper_case(what);
  first_not_simulated = place.empty() ? name : fmt::format("{}, called at {}", name, place);
}

void ServerState::begin_rehearsal() {
  rehearsing_ = true;
  saved_ = {subscriptions, random_, choices, json_, now_us};
  keyspace.begin_rehearsal();
  scripts.begin_rehearsal();
}

void ServerState::roll_back() {
  scripts.roll_back();
  keyspace.roll_back();
  subscriptions = std::move(saved_.subscriptions);
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

void ServerState::restart(bool keep_rows) {
  subscriptions.clear();
  blocking.clear();
  clients.clear();
  last_client_ = nullptr;
  flush_scripts();
  random_ = {};
  choices = {};
  if (!keep_rows) keyspace.clear_all("restart");
}

}  // namespace cohsim::valkey
