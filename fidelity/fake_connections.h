// Connections of bytes to a fake server in this process, in virtual time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/valkey/server.h"

namespace cohsim::fidelity {

/// The request as clients send it: an array of bulk strings.
void append_request(const std::vector<std::string>& args, std::string& bytes);

/// How far scripts may run, and how fast (Server::Settings).
struct ScriptSpeed {
  std::uint64_t instruction_limit = valkey::Server::Settings{}.instruction_limit;
  std::uint64_t instructions_per_ms = valkey::Server::Settings{}.instructions_per_ms;
};

/// For a fixed case: those with loops of 30 000 000 turns, which take a real server a second at most, need more.
[[nodiscard]] ScriptSpeed speed_of_case(std::string_view name);

class FakeConnections final : public valkey::Output {
 public:
  /// Spoils a command before the fake sees it, or its reply; for tests that must see a wrong answer found.
  struct Spoil {
    std::function<void(std::vector<std::string>& args)> command;
    std::function<void(const std::vector<std::string>& args, std::string& bytes)> reply;
  };

  FakeConnections(lua::Interpreter& interpreter, const valkey::Personality& personality, const std::string& collate = "C",
                  const ScriptSpeed& speed = {});

  /// Connections are named by small numbers and open when they first send. One that the server has closed receives
  /// nothing more, and what it sends is lost.
  void send(int connection, const std::vector<std::string>& args);
  void send_bytes(int connection, std::string_view bytes);
  /// The next whole frame that arrived; nullopt: none.
  std::optional<std::string> take(int connection);
  /// Gives back the memory of the frames that were taken.
  void forget_taken(int connection);
  /// Everything that arrived.
  std::string take_all(int connection);
  [[nodiscard]] bool closed(int connection) const;
  [[nodiscard]] bool is_blocked(int connection) const;
  /// Ends all connections: the next ones of the same numbers are new to the server.
  void close_all();

  /// Lets time pass, with all that becomes due on the way.
  void sleep_ms(std::int64_t span);
  void set_now_us(std::int64_t now) { now_us_ = now; }
  [[nodiscard]] std::int64_t now_us() const { return now_us_; }
  void spoil(Spoil how) { spoil_ = std::move(how); }
  [[nodiscard]] valkey::Server& server() { return server_; }

 private:
  struct Connection {
    valkey::ClientId id = 0;
    bool closed = false;
    std::string arrived;
    std::size_t taken = 0;
  };

  void send(valkey::ClientId client, std::string_view bytes) override;
  void close(valkey::ClientId client) override;
  valkey::Server::Settings settings(const valkey::Personality& personality, const std::string& collate,
                                    const ScriptSpeed& speed);
  Connection& connection(int number);

  std::map<int, Connection> connections_;
  std::map<valkey::ClientId, int> numbers_;
  valkey::ClientId last_id_ = 0;
  Spoil spoil_;
  std::vector<std::string> last_;  ///< the command under way, where `spoil_` looks at it
  std::int64_t now_us_ = 1'800'000'000'000'000;
  valkey::Server server_;
};

}  // namespace cohsim::fidelity
