#include "sim/valkey/server_state.h"

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

bool ServerState::knows_command(std::string_view name) const { return find_command(name) != nullptr; }

void ServerState::remember_not_simulated(std::string_view what, std::string_view place) {
  if (!first_not_simulated.empty()) return;
  const Command* const command = find_command(what);
  const std::string name = command == nullptr ? std::string(what) : upper_case(what);
  first_not_simulated = place.empty() ? name : fmt::format("{}, called at {}", name, place);
}

void ServerState::begin_rehearsal() {
  rehearsing_ = true;
  saved_ = {subscriptions, std::nullopt, random_, choices, json_, function_json_, now_us};
  keyspace.begin_rehearsal();
  scripts.begin_rehearsal();
  libraries.begin_rehearsal();
}

void ServerState::roll_back() {
  scripts.roll_back();
  libraries.roll_back();
  keyspace.roll_back();
  subscriptions = std::move(saved_.subscriptions);
  if (saved_.config) {
    config = std::move(*saved_.config);
    set_collation(config.has_collation() ? config.value("locale-collate") : std::string());
  }
  random_ = saved_.random;
  choices = saved_.choices;
  json_ = saved_.json;
  function_json_ = saved_.function_json;
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
  slow = {};
  flush_scripts();
  function_json_ = {};
  if (!keep_rows) libraries.clear();
  random_ = {};
  choices = {};
  if (!keep_rows) keyspace.clear_all("restart");
}

}  // namespace cohsim::valkey
