// What a pattern of Lua could cost, for those who must bound it before liblua begins.
#pragma once

#include <cstddef>
#include <string_view>

namespace cohsim::lua {

/// Steps that matching the pattern against so many bytes takes at worst: every repetition may try every length, from every
/// start. Never too few; far too many for most patterns.
[[nodiscard]] double worst_match_steps(std::string_view pattern, std::size_t bytes);

}  // namespace cohsim::lua
