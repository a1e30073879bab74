// Who acts in a run: small numbers, so that they can index arrays and be hashed.
#pragma once

#include <cstdint>

namespace cohsim {

/// 0 is the world itself (workload, faults), 1 the server, nodes follow from 2 in the order of the scenario.
using Actor = std::uint16_t;

inline constexpr Actor actor_world = 0;
inline constexpr Actor actor_server = 1;
inline constexpr Actor actor_first_node = 2;
inline constexpr Actor max_actors = 64;

}  // namespace cohsim
