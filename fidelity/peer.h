// The server that is held to be right.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cohsim::fidelity {

class Peer {
 public:
  virtual ~Peer() = default;
  /// Connections are named by numbers and open when they first send.
  virtual void send(int connection, std::string_view bytes) = 0;
  /// So many frames, each whole; fewer where no more come within `wait_ms`.
  virtual std::vector<std::string> take(int connection, std::size_t frames, int wait_ms) = 0;
  virtual void close_all() = 0;
  /// A new server with its first settings and this LC_ALL; false: it is not ours to end.
  virtual bool restart(const std::string& locale) = 0;
};

}  // namespace cohsim::fidelity
