// One run as a sequence diagram in text: a column for the source of truth, the server and each node, time going down.
// Every column shows the version that it holds of the name, so that a line is read without the ones above it.
#pragma once

#include <string>

#include "properties/oracle.h"
#include "reports/schedule_lines.h"

namespace cohsim {

/// The lines up to `violation`, and its sentence. Versions, names and jobs get short names, with a legend that has the
/// real ones. `width`: columns of text at most; what is longer is wrapped.
[[nodiscard]] std::string schedule_diagram(const Scenario& scenario, const ScheduleLines& lines, const Violation& violation,
                                           std::size_t width);

}  // namespace cohsim
