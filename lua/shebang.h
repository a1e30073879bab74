// The first line `#!lua flags=…` of a script (eval.c: evalExtractShebangFlags).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cohsim::lua {

/// Splits a script's text into what Lua compiles (line numbers unchanged) and what the shebang asks for. Answers the
/// error reply where the shebang is refused.
[[nodiscard]] std::optional<std::string> read_shebang(std::string_view text, std::string& body, bool& no_writes);

}  // namespace cohsim::lua
