// Who listens to which channel.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/valkey/server.h"

namespace cohsim::valkey {

/// Subscribers of a channel are kept in the order in which they subscribed, channels of a client likewise. A client
/// with at least one channel is in subscribed mode, where RESP2 allows few commands.
class Subscriptions {
 public:
  /// No effect where the client already listens. The number of the client's channels after it.
  std::size_t subscribe(ClientId client, std::string_view channel);
  std::size_t unsubscribe(ClientId client, std::string_view channel);
  void drop(ClientId client);
  void clear();

  [[nodiscard]] bool any() const { return !channels_of_.empty(); }
  [[nodiscard]] std::size_t count(ClientId client) const;
  [[nodiscard]] std::vector<std::string> channels(ClientId client) const;
  [[nodiscard]] std::vector<ClientId> subscribers(std::string_view channel) const;

 private:
  std::map<ClientId, std::vector<std::string>> channels_of_;
  std::map<std::string, std::vector<ClientId>, std::less<>> subscribers_of_;
};

}  // namespace cohsim::valkey
