// Brings the real server to where a new fake is: no rows, no scripts, and connections as if just opened.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "fidelity/peer.h"
#include "fidelity/sequences.h"

namespace cohsim::fidelity {

class FreshStart {
 public:
  explicit FreshStart(Peer& peer) : peer_(peer) {}

  /// Sends what empties the server on `connection`, so that `bytes` behind it need no round trip of their own; returns
  /// when that is answered, before the replies to `bytes`. Throws std::runtime_error where the server does not answer.
  /// Must be told of each sequence by `used`.
  void begin(int connection, std::string_view bytes);
  /// Returns when the server has read what was sent before on any connection, answered or not.
  void wait_until_heard();
  /// `broken`: a connection was left blocked or closed, or did not answer as expected: new ones are needed.
  void used(const Sequence& sequence, bool broken);

 private:
  bool reset_others(int connection);
  bool take_reset(int connection);
  void kill_all();

  Peer& peer_;
  std::set<int> connections_;
  bool broken_ = true;
  bool scripts_ = true;
  bool functions_ = true;
};

}  // namespace cohsim::fidelity
