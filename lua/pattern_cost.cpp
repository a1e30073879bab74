#include "lua/pattern_cost.h"

namespace cohsim::lua {

double worst_match_steps(std::string_view pattern, std::size_t bytes) {
  const double length = static_cast<double>(bytes) + 1;
  double steps = pattern.substr(0, 1) == "^" ? 1 : length;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '%' && i + 1 < pattern.size()) {
      ++i;
      if (pattern[i] == 'b' || (pattern[i] >= '0' && pattern[i] <= '9')) steps *= length;
    } else if (c == '*' || c == '+' || c == '-') {
      steps *= length;
    } else if (c == '?') {
      steps *= 2;
    }
  }
  return steps * static_cast<double>(pattern.size() + 1) / 4;
}

}  // namespace cohsim::lua
