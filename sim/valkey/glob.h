// The patterns of KEYS (util.c: stringmatchlen).
#pragma once

#include <string_view>

namespace cohsim::valkey {

/// `*`, `?`, `[a-c]`, `[^a]` and `\` as the server matches them; an unclosed class ends with the pattern. Case counts.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace cohsim::valkey
