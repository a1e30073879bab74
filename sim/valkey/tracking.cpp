#include "sim/valkey/tracking.h"

namespace cohsim::valkey {

void Tracking::remember(ClientId client, std::string_view key) { readers_[std::string(key)].insert(client); }

void Tracking::add_prefix(ClientId client, std::string_view prefix) {
  prefixes_[std::string(prefix)].clients.insert(client);
}

void Tracking::remove_prefixes(ClientId client, const std::vector<std::string>& prefixes) {
  for (const std::string& prefix : prefixes) {
    const auto listed = prefixes_.find(prefix);
    if (listed == prefixes_.end()) continue;
    listed->second.clients.erase(client);
    if (listed->second.clients.empty()) prefixes_.erase(listed);
  }
}

std::set<ClientId> Tracking::take_readers(std::string_view key) {
  const auto listed = readers_.find(key);
  if (listed == readers_.end()) return {};
  return std::move(readers_.extract(listed).mapped());
}

void Tracking::note_broadcast(std::string_view key, ClientId by) {
  for (auto& [prefix, listeners] : prefixes_) {
    if (!key.starts_with(prefix)) continue;
    listeners.changed.insert_or_assign(std::string(key), by);
    noted_ = true;
  }
}

std::vector<Tracking::Broadcast> Tracking::take_broadcasts() {
  std::vector<Broadcast> all;
  for (auto& [prefix, listeners] : prefixes_) {
    if (listeners.changed.empty()) continue;
    const std::vector<std::pair<std::string, ClientId>> keys(listeners.changed.begin(), listeners.changed.end());
    for (const ClientId client : listeners.clients) all.push_back({client, keys});
    listeners.changed.clear();
  }
  noted_ = false;
  return all;
}

}  // namespace cohsim::valkey
