#include "sim/valkey/subscriptions.h"

#include <algorithm>

namespace cohsim::valkey {

std::size_t Subscriptions::subscribe(ClientId client, std::string_view channel) {
  std::vector<std::string>& channels = channels_of_[client];
  if (std::find(channels.begin(), channels.end(), channel) == channels.end()) {
    channels.emplace_back(channel);
    subscribers_of_[std::string(channel)].push_back(client);
  }
  return channels.size();
}

std::size_t Subscriptions::unsubscribe(ClientId client, std::string_view channel) {
  const auto own = channels_of_.find(client);
  if (own == channels_of_.end()) return 0;
  std::vector<std::string>& channels = own->second;
  const auto place = std::find(channels.begin(), channels.end(), channel);
  if (place != channels.end()) {
    const auto listed = subscribers_of_.find(channel);
    std::erase(listed->second, client);
    if (listed->second.empty()) subscribers_of_.erase(listed);
    channels.erase(place);
  }
  const std::size_t left = channels.size();
  if (left == 0) channels_of_.erase(own);
  return left;
}

void Subscriptions::drop(ClientId client) {
  for (const std::string& channel : channels(client)) unsubscribe(client, channel);
}

void Subscriptions::clear() {
  channels_of_.clear();
  subscribers_of_.clear();
}

std::size_t Subscriptions::count(ClientId client) const {
  const auto own = channels_of_.find(client);
  return own == channels_of_.end() ? 0 : own->second.size();
}

std::vector<std::string> Subscriptions::channels(ClientId client) const {
  const auto own = channels_of_.find(client);
  return own == channels_of_.end() ? std::vector<std::string>() : own->second;
}

std::vector<ClientId> Subscriptions::subscribers(std::string_view channel) const {
  const auto listed = subscribers_of_.find(channel);
  return listed == subscribers_of_.end() ? std::vector<ClientId>() : listed->second;
}

}  // namespace cohsim::valkey
