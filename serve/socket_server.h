// Clients on sockets, one fake server behind them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "serve/sockets.h"
#include "sim/valkey/server.h"

namespace cohsim::serve {

class SocketServer final : public valkey::Output {
 public:
  struct Settings {
    std::uint16_t port = 0;         ///< 0: any free one
    std::string path;               ///< of a Unix socket beside it; empty: none
    valkey::Server::Settings server;  ///< its `output` is this object
    std::function<std::int64_t()> now_us;  ///< wall clock, Unix microseconds
    std::size_t unread_max = 256U << 20U;  ///< bytes that may wait for a client that does not read, one reply apart
  };

  /// Listens at once. Throws SocketError, and what Server throws.
  SocketServer(lua::Interpreter& interpreter, Settings settings);
  ~SocketServer() override;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::size_t clients() const { return clients_.size(); }
  /// Serves whoever is ready, waiting for at most `wait_ms` for the first one. A signal ends the wait.
  void serve_once(int wait_ms);

 private:
  struct Client {
    Descriptor socket;
    std::string unread;      ///< what waits to be sent
    std::size_t sent = 0;    ///< of it
    bool ending = false;     ///< ends once all is sent
    bool gone = false;
  };

  void send(valkey::ClientId id, std::string_view bytes) override;
  void close(valkey::ClientId id) override;
  void accept_all(int listener);
  void read(valkey::ClientId id, Client& client);
  void write(Client& client);
  void bury();
  std::int64_t now();

  Settings settings_;
  std::uint16_t port_;
  Descriptor loopback_;
  Descriptor unix_;
  std::map<valkey::ClientId, Client> clients_;
  valkey::ClientId last_id_ = 0;
  std::int64_t last_now_us_ = 0;
  std::int64_t expired_us_ = 0;  ///< when rows were expired last
  std::size_t clients_max_;
  std::vector<char> buffer_;
  valkey::Server server_;
};

}  // namespace cohsim::serve
