// Generated sequences of commands.
#pragma once

#include <rapidcheck/Gen.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cohsim::fidelity {

struct Sent {
  int connection = 1;
  std::vector<std::string> args;
  std::string name;  ///< of the shape: "CONFIG GET"; of a script: the command that it calls
  std::vector<std::string> calls = {};  ///< of a script that answers an array with the reply of each of several calls: their names
  std::int64_t pause_ms = 0;       ///< before it is sent
};

using Sequence = std::vector<Sent>;

/// Generates sequences, with their shrinks: fewer commands, fewer and simpler arguments, out of a script. `simulated` says
/// which of `shapes()` may be chosen. The size that RapidCheck hands in bounds the length.
[[nodiscard]] rc::Gen<Sequence> sequences(std::vector<bool> simulated);

/// What every sequence ends with: a PING on each connection that it uses, behind all that the server may still send.
[[nodiscard]] Sequence with_end(Sequence sequence);

}  // namespace cohsim::fidelity
