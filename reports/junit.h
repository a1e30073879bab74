// JUnit XML, for CI systems: one test case a scenario. Valid against reports/golden/junit.xsd (the common schema).
#pragma once

#include <string>

#include "properties/gate_result.h"

namespace cohsim {

/// Carries no times: equal results make equal files. What fails the gate is a <failure>; a fault of the simulator, a broken
/// scenario or a dead canary an <error>; skipped, undecided and quarantined ones are <skipped>, with the reason.
[[nodiscard]] std::string junit_report(const GateResult& result);

}  // namespace cohsim
