// Client-side caching: who is to be told that which keys are no longer what they were (tracking.c).
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/valkey/client.h"

namespace cohsim::valkey {

/// Remembers what clients have read, and for BCAST the prefixes that they want. Refers to clients by id.
class Tracking {
 public:
  void remember(ClientId client, std::string_view key);
  void add_prefix(ClientId client, std::string_view prefix);
  /// The client wants nothing more. What it has read is forgotten when those keys change, as there.
  void remove_prefixes(ClientId client, const std::vector<std::string>& prefixes);

  /// Who has read the key; they are forgotten with it.
  std::set<ClientId> take_readers(std::string_view key);
  /// Notes the change for every prefix of the key; `by` is the client that made it, 0 for none.
  void note_broadcast(std::string_view key, ClientId by);

  struct Broadcast {
    ClientId client;
    std::vector<std::pair<std::string, ClientId>> keys;  ///< with who changed each
  };
  /// What has been noted since, prefix by prefix.
  std::vector<Broadcast> take_broadcasts();

  [[nodiscard]] bool any() const { return clients != 0; }
  [[nodiscard]] bool any_noted() const { return noted_; }
  [[nodiscard]] std::size_t keys() const { return readers_.size(); }
  [[nodiscard]] std::size_t prefixes() const { return prefixes_.size(); }
  void forget_keys() { readers_.clear(); }
  void clear() { *this = {}; }

  std::size_t clients = 0;                        ///< with tracking on
  std::vector<std::pair<ClientId, std::string>> pending;  ///< to the client whose command runs, when it has ended

 private:
  struct Prefix {
    std::set<ClientId> clients;
    std::map<std::string, ClientId, std::less<>> changed;
  };
  std::map<std::string, std::set<ClientId>, std::less<>> readers_;
  std::map<std::string, Prefix, std::less<>> prefixes_;
  bool noted_ = false;
};

}  // namespace cohsim::valkey
