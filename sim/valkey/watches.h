// Which clients watch which keys (multi.c).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/valkey/client.h"

namespace cohsim::valkey {

/// Refers to clients: `unwatch` them before they go.
class Watches {
 public:
  using Place = std::pair<int, std::string>;

  /// `expired`: the row is past its deadline and not removed yet, which counts as absent from then on.
  void watch(Client& client, int database, std::string_view key, bool expired);
  void unwatch(Client& client);
  /// A row has been written or removed: transactions of those who watch it are stale.
  void changed(int database, std::string_view key, bool exists);
  /// Whether a key was seen to be past its deadline when the client began to watch it.
  [[nodiscard]] bool was_expired(const Client& client, const Place& place) const;
  [[nodiscard]] bool any() const { return !watchers_.empty(); }
  void clear() { watchers_.clear(); }

 private:
  struct Watcher {
    Client* client;
    bool expired;
  };
  std::map<Place, std::vector<Watcher>, std::less<>> watchers_;
};

}  // namespace cohsim::valkey
