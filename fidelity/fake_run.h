// A sequence on the fake: every frame that each connection receives, and how it is to be compared.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "fidelity/comparison.h"
#include "fidelity/fake_connections.h"
#include "fidelity/sequences.h"

namespace cohsim::fidelity {

struct FakeFrame {
  int connection = 1;
  std::size_t place = 0;  ///< of the command behind which it arrived
  std::string bytes;
  How how;
};

struct FakeRun {
  std::vector<FakeFrame> frames;
  std::string not_simulated;   ///< what the fake met and does not simulate; then nothing can be judged
  bool loosened = false;       ///< behind an EXEC that is out of step replies are compared by kind only
  bool leaves_blocked = false; ///< a connection still waits, or is closed
};

[[nodiscard]] FakeRun run_on_fake(FakeConnections& fake, const Sequence& sequence);

}  // namespace cohsim::fidelity
