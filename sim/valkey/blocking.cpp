#include "sim/valkey/blocking.h"

#include <algorithm>

namespace cohsim::valkey {

void Blocking::add(Client& client) {
  client.blocked = true;
  client.waits.since = ++stopped_;
  for (const std::string& key : client.waits.keys) {
    std::vector<ClientId>& queue = waiting_[{client.waits.database, key}];
    if (std::find(queue.begin(), queue.end(), client.id) == queue.end()) queue.push_back(client.id);
  }
  if (client.waits.deadline_us != 0) deadlines_.emplace(std::pair(client.waits.deadline_us, client.waits.since), client.id);
}

void Blocking::remove(Client& client) {
  if (!client.blocked) return;
  client.blocked = false;
  for (const std::string& key : client.waits.keys) {
    const auto queue = waiting_.find(Place{client.waits.database, key});
    if (queue == waiting_.end()) continue;
    std::erase(queue->second, client.id);
    if (queue->second.empty()) waiting_.erase(queue);
  }
  deadlines_.erase({client.waits.deadline_us, client.waits.since});
  client.waits = {};
}

void Blocking::signal(int database, std::string_view key) {
  if (waiting_.empty()) return;
  Place place{database, std::string(key)};
  if (waiting_.find(place) == waiting_.end()) return;
  if (std::find(ready_.begin(), ready_.end(), place) == ready_.end()) ready_.push_back(std::move(place));
}

std::optional<std::pair<Blocking::Place, std::vector<ClientId>>> Blocking::take_ready() {
  while (!ready_.empty()) {
    Place place = std::move(ready_.front());
    ready_.erase(ready_.begin());
    const auto queue = waiting_.find(place);
    if (queue != waiting_.end()) return std::pair(std::move(place), queue->second);
  }
  return std::nullopt;
}

std::optional<std::int64_t> Blocking::next_deadline_us() const {
  if (deadlines_.empty()) return std::nullopt;
  return deadlines_.begin()->first.first;
}

std::vector<ClientId> Blocking::due(std::int64_t now_us) const {
  std::vector<ClientId> clients;
  for (const auto& [deadline, client] : deadlines_) {
    if (deadline.first > now_us) break;
    clients.push_back(client);
  }
  return clients;
}

void Blocking::clear() {
  waiting_.clear();
  deadlines_.clear();
  ready_.clear();
}

}  // namespace cohsim::valkey
