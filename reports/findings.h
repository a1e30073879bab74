// What the hazard scenarios found, for those who maintain the design: a section each, with the schedule that shows it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/scenario.h"

namespace cohsim {

struct Finding {
  Scenario hazard;                      ///< expects a violation, and can run on this machine
  std::optional<Scenario> counterpart;  ///< the same schedule where it holds
};

/// The name of the scenario that shows the mend: what the hazard's topic or its first comment names, else X_mended.
[[nodiscard]] std::string counterpart_of(const Scenario& hazard);

/// One section for a terminal of 80 columns. Throws std::runtime_error where no seed tried violates what is expected.
[[nodiscard]] std::string finding_text(const Finding& finding);

/// docs/findings.md: a table of contents in the order of the design's weak points, then a section each. Throws as above.
[[nodiscard]] std::string findings_page(const std::vector<Finding>& findings);

}  // namespace cohsim
