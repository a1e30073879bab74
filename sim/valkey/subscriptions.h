// Who listens to which channel, pattern and shard channel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/valkey/server.h"

namespace cohsim::valkey {

enum class Listening : std::uint8_t { channel, pattern, shard };

/// Subscribers of a channel are kept in the order in which they subscribed, channels of a client likewise. A client
/// with at least one of them is in subscribed mode, where RESP2 allows few commands.
class Subscriptions {
 public:
  /// Both change nothing where the client listens, or does not listen, already.
  void subscribe(Listening kind, ClientId client, std::string_view name);
  void unsubscribe(Listening kind, ClientId client, std::string_view name);
  void drop(ClientId client);
  void clear();

  [[nodiscard]] bool any() const { return !names_of_.empty(); }
  [[nodiscard]] bool listens(ClientId client) const { return names_of_.contains(client); }
  /// What replies of (P)SUBSCRIBE count: channels and patterns; of SSUBSCRIBE: shard channels.
  [[nodiscard]] std::size_t count(ClientId client, Listening kind) const;
  [[nodiscard]] std::vector<std::string> names(ClientId client, Listening kind) const;
  [[nodiscard]] std::vector<ClientId> subscribers(Listening kind, std::string_view name) const;
  /// Those whose pattern matches, with the pattern, patterns in the order of their bytes.
  [[nodiscard]] std::vector<std::pair<std::string, ClientId>> matching(std::string_view channel) const;
  /// Names that somebody listens to, in the order of their bytes.
  [[nodiscard]] std::vector<std::string> active(Listening kind) const;

 private:
  using Names = std::array<std::vector<std::string>, 3>;
  using Listeners = std::map<std::string, std::vector<ClientId>, std::less<>>;
  [[nodiscard]] static std::size_t at(Listening kind) { return static_cast<std::size_t>(kind); }

  std::map<ClientId, Names> names_of_;
  std::array<Listeners, 3> listeners_;
};

}  // namespace cohsim::valkey
