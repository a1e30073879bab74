// The report for people: a table, what was exercised, then one block a failure with the commands that reproduce it.
#pragma once

#include <string>

#include "properties/gate_result.h"

namespace cohsim {

/// Ends with the results hash. `color`: with ANSI colours.
[[nodiscard]] std::string text_report(const GateResult& result, bool color);

/// "seeds 1..200, shard 2/8, --script F": how the run was asked for.
[[nodiscard]] std::string settings_line(const GateSettings& settings);
/// Why the report is partial, or empty.
[[nodiscard]] std::string partial_line(const GateResult& result);

}  // namespace cohsim
