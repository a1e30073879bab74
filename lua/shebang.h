// The first line `#!lua flags=…` of a script (eval.c: evalExtractShebangFlags).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lua/interpreter.h"

namespace cohsim::lua {

/// Splits a script's text into what Lua compiles (line numbers unchanged) and what the shebang asks for. Answers the
/// error reply where the shebang is refused.
[[nodiscard]] std::optional<std::string> read_shebang(std::string_view text, std::string& body, ScriptFlags& flags);

/// Sets the flag of that name; false where there is none.
bool set_flag(ScriptFlags& flags, std::string_view name);

}  // namespace cohsim::lua
