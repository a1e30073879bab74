// One attempt at one run, and the call that makes it. Tests hand a fake one in; the command line hands in run_once.
#pragma once

#include <functional>
#include <string>

#include "properties/run.h"

namespace cohsim {

using RunFunction = std::function<RunResult(const Scenario&, std::uint64_t, const RunOptions&)>;

struct RunOutcome {
  RunResult result;   ///< `seed` is set always; the rest only where `fault` is empty or names a nondeterminism
  std::string fault;  ///< the simulator's own failure: an exception, a dead worker, two hashes for one seed; empty: none
};

/// Runs once and turns whatever escapes into a fault; never throws. With `verify`, runs twice and compares hash, steps and
/// violations; where they differ, both are replayed and the fault names the first differing event.
[[nodiscard]] RunOutcome attempt(const RunFunction& run, const Scenario& scenario, std::uint64_t seed,
                                 const RunOptions& options, bool verify);

}  // namespace cohsim
