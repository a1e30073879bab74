// How a number becomes text: a command's argument, a double in a reply (fpconv_dtoa and ll2string; printf in 7.0).
#pragma once

#include <string>

namespace cohsim::lua {

/// An integer if exact (below 2^62), else the shortest text that reads back: 0.1, 1e-7, 1e+20, inf, nan.
[[nodiscard]] std::string argument_text(double number);

/// The shortest text that reads back, also for integers above 2^53: 1e+20.
[[nodiscard]] std::string shortest_text(double number);

/// Seventeen significant digits: 0.10000000000000001.
[[nodiscard]] std::string long_text(double number);

}  // namespace cohsim::lua
