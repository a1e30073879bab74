// "did you mean …?"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cohsim::cli {

/// "; did you mean 'x'?" for the nearest of `known` when it is near enough to be a slip, else empty.
[[nodiscard]] std::string did_you_mean(std::string_view given, const std::vector<std::string>& known);

}  // namespace cohsim::cli
