// A node's way to the server: commands, the script with NOSCRIPT handled as the real client does it, and the bus.
// A lost connection answers `disconnected`, and nothing is ever sent again: the caller cannot know whether it ran.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/server_host.h"
#include "sim/network.h"

namespace cohsim {

/// What came back from one call; nullopt: disconnected.
using MaybeReply = std::optional<valkey::Reply>;

/// One connection of one node. Lives in the node's memory.
class Client {
 public:
  Client(Network& network, ServerHost& host, Notes& notes, Actor node);

  [[nodiscard]] ConnectionId connection() const { return connection_; }

  Task<MaybeReply> command(std::vector<std::string> args);
  /// A bundled script by EVALSHA; on NOSCRIPT loads it once and tries again. As with every command, a lost connection
  /// answers nullopt, also behind a NOSCRIPT: it ran, or did not, and is not sent again.
  Task<MaybeReply> run_script(std::string name, std::vector<std::string> keys, std::vector<std::string> args);

  struct DropAnswer {
    Outcome outcome = Outcome::disconnected;  ///< ok, failed (an error reply), disconnected
    std::int64_t dropped = 0;
  };
  /// :coherence_drop by EVALSHA; on NOSCRIPT loads the script once and tries again.
  Task<DropAnswer> drop_l2(TableRef table, std::string id, std::string version);

  Task<Outcome> enqueue(std::string queue, std::string job, std::string payload, std::string group);
  struct ClaimAnswer {
    bool connected = false;
    std::optional<JobQueue::Claim> claim;
  };
  Task<ClaimAnswer> claim(std::string queue);
  Task<Outcome> settle_job(std::string queue, std::string job, std::int64_t token, bool complete);
  /// reap, then promote; false when disconnected.
  Task<bool> reap_and_promote(std::string queue);

 private:
  template <class Work>
  Task<Answer> send(Work work);

  Network& network_;
  ServerHost& host_;
  Notes& notes_;
  Actor node_;
  ConnectionId connection_;
};

}  // namespace cohsim
