#include "sim/valkey/subscriptions.h"

#include <algorithm>

#include "sim/valkey/glob.h"

namespace cohsim::valkey {

void Subscriptions::subscribe(Listening kind, ClientId client, std::string_view name) {
  std::vector<std::string>& names = names_of_[client][at(kind)];
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  names.emplace_back(name);
  listeners_[at(kind)][std::string(name)].push_back(client);
}

void Subscriptions::unsubscribe(Listening kind, ClientId client, std::string_view name) {
  const auto own = names_of_.find(client);
  if (own == names_of_.end()) return;
  std::vector<std::string>& names = own->second[at(kind)];
  const auto place = std::find(names.begin(), names.end(), name);
  if (place == names.end()) return;
  const auto listed = listeners_[at(kind)].find(name);
  std::erase(listed->second, client);
  if (listed->second.empty()) listeners_[at(kind)].erase(listed);
  names.erase(place);
  const Names& left = own->second;
  if (std::all_of(left.begin(), left.end(), [](const auto& some) { return some.empty(); })) names_of_.erase(own);
}

void Subscriptions::drop(ClientId client) {
  for (const Listening kind : {Listening::channel, Listening::pattern, Listening::shard}) {
    for (const std::string& name : names(client, kind)) unsubscribe(kind, client, name);
  }
}

void Subscriptions::clear() {
  names_of_.clear();
  listeners_ = {};
}

std::size_t Subscriptions::count(ClientId client, Listening kind) const {
  const auto own = names_of_.find(client);
  if (own == names_of_.end()) return 0;
  if (kind == Listening::shard) return own->second[at(kind)].size();
  return own->second[at(Listening::channel)].size() + own->second[at(Listening::pattern)].size();
}

std::vector<std::string> Subscriptions::names(ClientId client, Listening kind) const {
  const auto own = names_of_.find(client);
  return own == names_of_.end() ? std::vector<std::string>() : own->second[at(kind)];
}

std::vector<ClientId> Subscriptions::subscribers(Listening kind, std::string_view name) const {
  const auto listed = listeners_[at(kind)].find(name);
  return listed == listeners_[at(kind)].end() ? std::vector<ClientId>() : listed->second;
}

std::vector<std::pair<std::string, ClientId>> Subscriptions::matching(std::string_view channel) const {
  std::vector<std::pair<std::string, ClientId>> found;
  for (const auto& [pattern, clients] : listeners_[at(Listening::pattern)]) {
    if (!glob_matches(pattern, channel)) continue;
    for (const ClientId client : clients) found.emplace_back(pattern, client);
  }
  return found;
}

std::vector<std::string> Subscriptions::active(Listening kind) const {
  std::vector<std::string> names;
  for (const auto& [name, clients] : listeners_[at(kind)]) names.push_back(name);
  return names;
}

}  // namespace cohsim::valkey
