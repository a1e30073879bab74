// Internal to lua/: JSON from and to values on the Lua stack, as the library `cjson` does both.
#pragma once

#include <string_view>

#include "lua/bounded_text.h"
#include "lua/json_settings.h"

struct lua_State;

namespace cohsim::lua {

/// Writes the value on top of the stack, which stays there. Raises cjson's errors.
void encode_json(lua_State* state, const JsonSettings& settings, BoundedText& out);

/// Pushes the value of the text, behind which a NUL must stand. Raises cjson's errors.
void decode_json(lua_State* state, const JsonSettings& settings, std::string_view text);

}  // namespace cohsim::lua
