// A scenario as the text of a scenario file, so that a generated one can be read, pasted into a file and run.
#pragma once

#include <iosfwd>
#include <string>

#include "model/scenario.h"

namespace cohsim {

/// What a loader reads as the same scenario; keys at their defaults are left out. Steps and invariants are functions of
/// a file, which no text can be made from: throws std::invalid_argument for a scenario that has them.
[[nodiscard]] std::string to_lua(const Scenario& scenario);

/// How RapidCheck shows a counterexample.
void showValue(const Scenario& scenario, std::ostream& out);

}  // namespace cohsim
