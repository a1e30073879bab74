#include "fidelity/fresh_start.h"

#include <stdexcept>
#include <vector>

#include "fidelity/fake_connections.h"

namespace cohsim::fidelity {

namespace {

constexpr int control = 99;  // the connection that empties the server
constexpr int patience_ms = 5000;

}  // namespace

/// RESET behind everything that a connection may still receive; false: not each has answered it.
bool FreshStart::reset_connections() {
  constexpr int frames_max = 100'000;
  static const std::string reset = [] {
    std::string bytes;
    append_request({"RESET"}, bytes);
    return bytes;
  }();
  for (const int connection : connections_) peer_.send(connection, reset);
  for (const int connection : connections_) {
    for (int frames = 0;; ++frames) {
      const std::vector<std::string> got = peer_.take(connection, 1, patience_ms);
      if (got.empty() || frames == frames_max) return false;
      if (got.front() == "+RESET\r\n") break;
    }
  }
  return true;
}

void FreshStart::begin() {
  if (broken_ || !reset_connections()) {
    // Killed by the server itself, so that it has noticed: a blocked client may not steal what the next one pushes.
    std::string bytes;
    append_request({"CLIENT", "KILL", "TYPE", "normal"}, bytes);
    append_request({"CLIENT", "KILL", "TYPE", "pubsub"}, bytes);
    peer_.close_all();
    peer_.send(control, bytes);
    if (peer_.take(control, 2, patience_ms).size() != 2) throw std::runtime_error("the real server does not answer any more");
    broken_ = false;
  }
  connections_.clear();
  std::string bytes;
  std::size_t requests = 1;
  append_request({"FLUSHALL"}, bytes);
  if (scripts_) {
    append_request({"SCRIPT", "FLUSH"}, bytes);
    ++requests;
  }
  if (functions_) {
    append_request({"FUNCTION", "FLUSH"}, bytes);
    ++requests;
  }
  peer_.send(control, bytes);
  if (peer_.take(control, requests, patience_ms).size() != requests) throw std::runtime_error("the real server does not answer any more");
  scripts_ = functions_ = false;
}

void FreshStart::used(const Sequence& sequence, bool broken) {
  broken_ = broken_ || broken;
  for (const Sent& sent : sequence) {
    connections_.insert(sent.connection);
    const std::string& command = sent.args[0];
    scripts_ = scripts_ || command.starts_with("EVAL") || command.starts_with("eval") || sent.name.starts_with("SCRIPT") || sent.name.starts_with("EVAL");
    functions_ = functions_ || sent.name.starts_with("FUNCTION");
  }
}

}  // namespace cohsim::fidelity
