// A real server: started from its binary, or found at an address of this machine.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fidelity/peer.h"

namespace cohsim::fidelity {

class ServerUnreachable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class RealServer final : public Peer {
 public:
  /// `where` is the path of a binary, or HOST:PORT with 127.0.0.1 or localhost. A started server ends with this object.
  explicit RealServer(const std::string& where);
  ~RealServer() override;
  RealServer(const RealServer&) = delete;
  RealServer& operator=(const RealServer&) = delete;

  void send(int connection, std::string_view bytes) override;
  std::vector<std::string> take(int connection, std::size_t frames, int wait_ms) override;
  void close_all() override;
  bool restart(const std::string& locale) override;
  /// "7.0.15"; empty where it does not say.
  std::string version();

 private:
  struct Connection {
    int socket = -1;
    std::string arrived;
    std::size_t taken = 0;
    bool closed = false;
  };

  void start(const std::string& locale);
  void await(const std::string& where);
  void stop();
  [[nodiscard]] int connect() const;
  Connection& connection(int number);
  bool read_more(Connection& from, int wait_ms);

  std::string binary_;  ///< empty: the server was found
  std::uint16_t port_ = 0;
  pid_t child_ = -1;
  std::map<int, Connection> connections_;
};

}  // namespace cohsim::fidelity
