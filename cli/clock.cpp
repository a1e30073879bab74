#include "cli/clock.h"

#include <chrono>

namespace cohsim::cli {

using namespace std::chrono;

std::int64_t real_ms() { return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count(); }
std::int64_t wall_clock_us() { return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count(); }

}  // namespace cohsim::cli
