// The conformance table: what was compared with a real server, command by command.
#pragma once

#include <string>

#include "fidelity/campaign.h"

namespace cohsim::fidelity {

/// Markdown. `server` names the real one.
[[nodiscard]] std::string conformance_table(const CampaignResult& result, const std::string& server);

}  // namespace cohsim::fidelity
