// Turns counts into verdicts: properties.md, "How an outcome is judged". Pure: no clock, no environment.
#pragma once

#include <string>

#include "properties/gate_result.h"

namespace cohsim {

/// Fills verdict, exit_code, quarantined and reason. `today` is an ISO date ("2026-01-31"), used for quarantine alone.
/// `skipped`: why the scenario cannot run here; empty: it can.
void judge(ScenarioResult& result, const Scenario& scenario, const GateSettings& settings, Ended ended,
           const std::string& today, const std::string& skipped);

/// Quarantined, and `today` is not past its date: what does not come out as expected does not fail the gate.
[[nodiscard]] bool is_excused(const ScenarioResult& result, const std::string& today);

/// The whole run's answer, from its scenarios, its canary and how it ended.
[[nodiscard]] ExitCode judge_gate(const GateResult& result);

}  // namespace cohsim
