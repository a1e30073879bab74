// The report for a merge request or a CI summary page.
#pragma once

#include <string>

#include "properties/gate_result.h"

namespace cohsim {

[[nodiscard]] std::string markdown_report(const GateResult& result);

}  // namespace cohsim
