// The whole state of a world, for `replay --state`: truth, rows, journals, queues, counters.
#pragma once

#include <string>

#include "model/world_view.h"

namespace cohsim {

/// Lines in a fixed order; reads nothing but the view.
[[nodiscard]] std::string state_text(const WorldView& world);

/// "world", "server", or the node's name in the scenario.
[[nodiscard]] std::string actor_name_in(const Scenario& scenario, Actor actor);

}  // namespace cohsim
