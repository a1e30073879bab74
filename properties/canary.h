// The gate's proof that it can fail: a run over a script that is wrong on purpose. Were it ever to pass, no other green
// of that gate run would mean anything.
#pragma once

#include <string>

#include "model/scenario.h"

namespace cohsim {

struct Canary {
  Scenario scenario;
  std::string property;     ///< must be violated in at least one seed
  std::uint64_t seeds = 5;  ///< 1..seeds
};

/// A small random scenario whose script always deletes the row: `no_newer_row_erased` must break.
[[nodiscard]] Canary always_drop_canary();

}  // namespace cohsim
