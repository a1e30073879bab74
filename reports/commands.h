// The commands that reproduce a failure, word for word.
#pragma once

#include <string>

#include "properties/gate_result.h"

namespace cohsim {

/// `cohsim replay PATH --seed N` with every option that changed the system under test.
[[nodiscard]] std::string replay_command(const GateSettings& settings, const ScenarioResult& scenario,
                                         std::uint64_t seed);
/// `cohsim shrink PATH --seed N … -o NAME-N.lua`
[[nodiscard]] std::string shrink_command(const GateSettings& settings, const ScenarioResult& scenario,
                                         std::uint64_t seed);

/// A failure that a report has to show: a seed of its own where it has one, and what happened.
struct FailureView {
  std::uint64_t seed = 0;       ///< 0 and no `command`: no single seed shows it
  std::string title;            ///< "no_newer_row_erased, step 41 (1.000250 s), 3 of 200 seeds"
  std::string sentence;
  std::string replay, shrink;   ///< empty where there is no single run to repeat, or nothing to shrink
};

/// Why a scenario did not come out as it expects, worst first; empty when it did (a quarantined one did not).
[[nodiscard]] std::vector<FailureView> failures_of(const GateSettings& settings, const ScenarioResult& scenario);

}  // namespace cohsim
