// Clients that wait for keys, and which of them are to be served (blocked.c).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/valkey/client.h"

namespace cohsim::valkey {

/// Holds ids only: the state of a blocked client stands in its `Client`.
class Blocking {
 public:
  using Place = std::pair<int, std::string>;  ///< database and key

  /// The client waits from now on; `client.waits` says for what.
  void add(Client& client);
  void remove(Client& client);
  /// A key got what somebody may wait for.
  void signal(int database, std::string_view key);
  /// The next key that was signalled, in the order of signals, with who waits for it, longest first; nullopt: none.
  std::optional<std::pair<Place, std::vector<ClientId>>> take_ready();
  [[nodiscard]] std::optional<std::int64_t> next_deadline_us() const;
  /// Who is to be answered by now, earliest deadline first.
  [[nodiscard]] std::vector<ClientId> due(std::int64_t now_us) const;
  [[nodiscard]] bool any() const { return !waiting_.empty(); }
  void clear();

 private:
  std::map<Place, std::vector<ClientId>, std::less<>> waiting_;
  std::map<std::pair<std::int64_t, std::uint64_t>, ClientId> deadlines_;
  std::vector<Place> ready_;
  std::uint64_t stopped_ = 0;
};

}  // namespace cohsim::valkey
