// Real time, for those few who live in it: progress, budgets, and servers that real clients talk to. No trace sees it.
#pragma once

#include <cstdint>

namespace cohsim::cli {

/// Milliseconds that never go back, from an unknown beginning.
[[nodiscard]] std::int64_t real_ms();
/// Unix microseconds by the machine's clock.
[[nodiscard]] std::int64_t wall_clock_us();

}  // namespace cohsim::cli
