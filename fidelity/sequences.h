// Generated sequences of commands.
#pragma once

#include <rapidcheck/Shrinkable.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cohsim::fidelity {

struct Sent {
  int connection = 1;
  std::vector<std::string> args;
  std::string name;  ///< of the shape: "CONFIG GET"; of a script: the command that it calls
};

using Sequence = std::vector<Sent>;

/// The sequence of a seed, with its shrinks: fewer commands, fewer and simpler arguments, out of a script. `simulated` says
/// which of `shapes()` may be chosen.
[[nodiscard]] rc::Shrinkable<Sequence> sequence_of(std::uint64_t seed, const std::vector<bool>& simulated);

}  // namespace cohsim::fidelity
