// Virtual time: microseconds since the run began. Nothing in a run reads any other clock.
#pragma once

#include <cstdint>

namespace cohsim {

/// A point of virtual time, in microseconds since the run began.
using TimeUs = std::int64_t;
/// A span of virtual time, in microseconds.
using DurationUs = std::int64_t;

inline constexpr DurationUs us_per_ms = 1'000;
inline constexpr DurationUs us_per_s = 1'000'000;

}  // namespace cohsim
