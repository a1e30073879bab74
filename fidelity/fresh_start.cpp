#include "fidelity/fresh_start.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "fidelity/fake_connections.h"
#include "fidelity/real_server.h"

namespace cohsim::fidelity {

namespace {

constexpr int control = 99;  // the connection that kills the others
constexpr int patience_ms = 5000;

const std::string& reset_request() {
  static const std::string bytes = [] {
    std::string request;
    append_request({"RESET"}, request);
    return request;
  }();
  return bytes;
}

}  // namespace

/// Reads up to the answer of RESET; false where it does not come.
bool FreshStart::take_reset(int connection) {
  constexpr int frames_max = 100'000;
  for (int frames = 0; frames < frames_max; ++frames) {
    const std::vector<std::string> got = peer_.take(connection, 1, patience_ms);
    if (got.empty()) return false;
    if (got.front() == "+RESET\r\n") return true;
  }
  return false;
}

bool FreshStart::reset_others(int connection) {
  connections_.erase(connection);
  for (const int other : connections_) peer_.send(other, reset_request());
  return std::all_of(connections_.begin(), connections_.end(), [&](int other) { return take_reset(other); });
}

/// By the server itself, so that it has noticed: a blocked client may not steal what the next one pushes.
void FreshStart::kill_all() {
  std::string bytes;
  append_request({"CLIENT", "KILL", "TYPE", "normal"}, bytes);
  append_request({"CLIENT", "KILL", "TYPE", "pubsub"}, bytes);
  peer_.close_all();
  peer_.send(control, bytes);
  if (peer_.take(control, 2, patience_ms).size() != 2) throw ServerUnreachable("the real server does not answer any more");
  broken_ = false;
}

// The server answers all requests of one turn of its loop at the turn's end: where this PING is answered, what had
// arrived before it is done.
void FreshStart::wait_until_heard() {
  std::string bytes;
  append_request({"PING"}, bytes);
  peer_.send(control, bytes);
  peer_.take(control, 1, patience_ms);
}

void FreshStart::begin(int connection, std::string_view bytes) {
  if (broken_ || !reset_others(connection)) kill_all();
  connections_.clear();
  std::string requests = reset_request();
  std::size_t replies = 1;
  append_request({"FLUSHALL"}, requests);
  if (scripts_) {
    append_request({"SCRIPT", "FLUSH"}, requests);
    ++replies;
  }
  if (functions_) {
    append_request({"FUNCTION", "FLUSH"}, requests);
    ++replies;
  }
  requests += bytes;
  peer_.send(connection, requests);
  if (!take_reset(connection) || peer_.take(connection, replies, patience_ms).size() != replies) {
    throw ServerUnreachable("the real server does not answer any more");
  }
  scripts_ = functions_ = false;
}

void FreshStart::used(const Sequence& sequence, bool broken) {
  bool executes = false, silences = false;
  for (const Sent& sent : sequence) {
    connections_.insert(sent.connection);
    const std::string& command = sent.args[0];
    scripts_ = scripts_ || command.starts_with("EVAL") || command.starts_with("eval") || sent.name.starts_with("SCRIPT") || sent.name.starts_with("EVAL");
    functions_ = functions_ || sent.name.starts_with("FUNCTION");
    executes = executes || sent.name == "EXEC";
    silences = silences || sent.name == "CLIENT REPLY";
  }
  // CLIENT REPLY inside of a transaction leaves an EXEC with fewer replies than it has announced.
  broken_ = broken_ || broken || (executes && silences);
}

}  // namespace cohsim::fidelity
