// The script of the gate on both servers: every pair of a stored frame and an incoming version.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fidelity/peer.h"
#include "lua/interpreter.h"
#include "sim/valkey/personality.h"

namespace cohsim::fidelity {

/// `count` different byte strings that a comparison of bytes 4..14 may get wrong: neighbours, every byte at every place,
/// letters of both cases, NUL, UTF-8 and halves of it, lengths from 0 to 16, other namespaces, random Base62. The first
/// ones are the same for every count.
[[nodiscard]] std::vector<std::string> adversarial_versions(std::size_t count);

struct VerdictResult {
  std::uint64_t pairs = 0, dropped = 0;
  std::vector<std::string> differences;  ///< in words, at most 20
};

/// Stores each version as a row with a deadline and calls the script on it with each version as the message; compares
/// the verdict, what is left of the row, and its deadline. The peer must compare strings by `locale` already, and is
/// emptied. Throws std::runtime_error where it does not answer.
[[nodiscard]] VerdictResult compare_verdicts(lua::Interpreter& interpreter, Peer& peer, const valkey::Personality& personality,
                                             const std::string& locale, const std::string& script,
                                             const std::vector<std::string>& versions);

}  // namespace cohsim::fidelity
