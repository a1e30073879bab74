#include "sim/valkey/watches.h"

#include <algorithm>

namespace cohsim::valkey {

void Watches::watch(Client& client, int database, std::string_view key, bool expired) {
  Place place{database, std::string(key)};
  if (std::find(client.watched.begin(), client.watched.end(), place) != client.watched.end()) return;
  watchers_[place].push_back({&client, expired});
  client.watched.push_back(std::move(place));
}

void Watches::unwatch(Client& client) {
  for (const Place& place : client.watched) {
    const auto listed = watchers_.find(place);
    if (listed == watchers_.end()) continue;
    std::erase_if(listed->second, [&](const Watcher& watcher) { return watcher.client == &client; });
    if (listed->second.empty()) watchers_.erase(listed);
  }
  client.watched.clear();
}

void Watches::changed(int database, std::string_view key, bool exists) {
  const auto listed = watchers_.find(Place{database, std::string(key)});
  if (listed == watchers_.end()) return;
  for (Watcher& watcher : listed->second) {
    if (watcher.expired && !exists) {
      watcher.expired = false;  // what was absent for the client has only gone now
    } else {
      watcher.client->transaction.stale = true;
    }
  }
}

bool Watches::was_expired(const Client& client, const Place& place) const {
  const auto listed = watchers_.find(place);
  if (listed == watchers_.end()) return false;
  return std::any_of(listed->second.begin(), listed->second.end(),
                     [&](const Watcher& watcher) { return watcher.client == &client && watcher.expired; });
}

}  // namespace cohsim::valkey
