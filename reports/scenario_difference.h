// By what two scenarios differ: settings by their values, steps by the lines of their files.
#pragma once

#include <string>
#include <vector>

#include "model/scenario.h"

namespace cohsim {

/// "- line" and "+ line": first settings in the order of a scenario file, then steps in the order of the files. Left out:
/// names, descriptions, expectations, and settings that follow from others.
[[nodiscard]] std::vector<std::string> scenario_difference(const Scenario& before, const Scenario& after);

}  // namespace cohsim
