// Adds outcomes up. Memory is bounded by scenarios and properties, except for one hash a distinct interleaving.
#pragma once

#include "properties/gate_result.h"
#include "properties/outcome.h"

namespace cohsim {

/// An empty result that knows what its scenario is and expects.
[[nodiscard]] ScenarioResult start_tally(const Scenario& scenario, const SeedPlan& seeds);

/// Outcomes must come in seed order. True when this one does not agree with what the scenario expects (a violation that
/// is not allowed, a broken scenario or a fault).
bool add_outcome(ScenarioResult& result, RunOutcome outcome);

/// Sorts the hashes and drops what came twice.
void finish_tally(ScenarioResult& result);

/// Sums of all scenarios into the totals of `gate`, the results hash included. `known`: properties to list even if no
/// run mentions them.
void add_totals(GateResult& gate, const std::vector<std::string>& known);

}  // namespace cohsim
