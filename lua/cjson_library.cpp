// The library `cjson`. Its settings are the server's (ScriptCall::json); a library of `cjson.new` has its own.
#include <fmt/format.h>

#include <limits>
#include <lua5.1/lua.hpp>
#include <new>

#include "lua/engine.h"
#include "lua/json.h"

namespace cohsim::lua {

namespace {

using InvalidNumbers = JsonSettings::InvalidNumbers;

JsonSettings& settings_of(lua_State* state) {
  void* const own = lua_touserdata(state, lua_upvalueindex(1));
  return own != nullptr ? *static_cast<JsonSettings*>(own) : *engine_of(state).json;
}

/// Brings the arguments to `count`, none being nil.
void take_options(lua_State* state, int count) {
  luaL_argcheck(state, lua_gettop(state) <= count, count + 1, "found too many arguments");
  lua_settop(state, count);
}

void integer_option(lua_State* state, int index, int& setting, int low, int high) {
  if (!lua_isnil(state, index)) {
    const auto value = static_cast<int>(luaL_checkinteger(state, index));
    // The server names the first argument whichever it is.
    const std::string range = fmt::format("expected integer between {} and {}", low, high);
    luaL_argcheck(state, low <= value && value <= high, 1, range.c_str());
    setting = value;
  }
  lua_pushinteger(state, setting);
}

/// A boolean or one of the words, of which the first two mean false and true.
int choice_option(lua_State* state, int index, int setting, const char* const* words) {
  if (lua_isboolean(state, index)) {
    setting = lua_toboolean(state, index);
  } else if (!lua_isnil(state, index)) {
    setting = luaL_checkoption(state, index, nullptr, words);
  }
  if (setting <= 1) {
    lua_pushboolean(state, setting);
  } else {
    lua_pushstring(state, words[setting]);
  }
  return setting;
}

bool switch_option(lua_State* state, int index, bool setting) {
  static const char* const words[] = {"off", "on", nullptr};
  return choice_option(state, index, setting ? 1 : 0, words) != 0;
}

int cjson_sparse_array(lua_State* state) {
  JsonSettings& settings = settings_of(state);
  constexpr int most = std::numeric_limits<int>::max();
  take_options(state, 3);
  settings.sparse_as_object = switch_option(state, 1, settings.sparse_as_object);
  integer_option(state, 2, settings.sparse_ratio, 0, most);
  integer_option(state, 3, settings.sparse_safe, 0, most);
  return 3;
}

int cjson_encode_max_depth(lua_State* state) {
  take_options(state, 1);
  integer_option(state, 1, settings_of(state).encode_depth_max, 1, std::numeric_limits<int>::max());
  return 1;
}

int cjson_decode_max_depth(lua_State* state) {
  take_options(state, 1);
  integer_option(state, 1, settings_of(state).decode_depth_max, 1, std::numeric_limits<int>::max());
  return 1;
}

int cjson_number_precision(lua_State* state) {
  take_options(state, 1);
  integer_option(state, 1, settings_of(state).precision, 1, 14);
  return 1;
}

int cjson_keep_buffer(lua_State* state) {
  take_options(state, 1);
  JsonSettings& settings = settings_of(state);
  settings.keep_buffer = switch_option(state, 1, settings.keep_buffer);
  return 1;
}

int cjson_encode_invalid(lua_State* state) {
  static const char* const words[] = {"off", "on", "null", nullptr};
  take_options(state, 1);
  JsonSettings& settings = settings_of(state);
  const int chosen = choice_option(state, 1, static_cast<int>(settings.encode_invalid), words);
  settings.encode_invalid = static_cast<InvalidNumbers>(chosen);
  return 1;
}

int cjson_decode_invalid(lua_State* state) {
  take_options(state, 1);
  JsonSettings& settings = settings_of(state);
  settings.decode_invalid = switch_option(state, 1, settings.decode_invalid);
  return 1;
}

int cjson_encode(lua_State* state) {
  luaL_argcheck(state, lua_gettop(state) == 1, 1, "expected 1 argument");
  BoundedText out(state);
  encode_json(state, settings_of(state), out);
  out.push();
  return 1;
}

int cjson_decode(lua_State* state) {
  luaL_argcheck(state, lua_gettop(state) == 1, 1, "expected 1 argument");
  std::size_t bytes = 0;
  const char* const text = luaL_checklstring(state, 1, &bytes);
  if (bytes >= 2 && (text[0] == '\0' || text[1] == '\0')) {
    luaL_error(state, "JSON parser does not support UTF-16 or UTF-32");
  }
  charge_work(state, bytes);
  decode_json(state, settings_of(state), {text, bytes});
  return 1;
}

/// Pops the settings (nil: those of the server) and sets the functions and fields in the table below.
void set_functions(lua_State* state);

int cjson_new(lua_State* state) {
  lua_newtable(state);
  new (lua_newuserdata(state, sizeof(JsonSettings))) JsonSettings();
  set_functions(state);
  return 1;
}

void set_functions(lua_State* state) {
  static const luaL_Reg functions[] = {{"encode", cjson_encode},
                                       {"decode", cjson_decode},
                                       {"encode_sparse_array", cjson_sparse_array},
                                       {"encode_max_depth", cjson_encode_max_depth},
                                       {"decode_max_depth", cjson_decode_max_depth},
                                       {"encode_number_precision", cjson_number_precision},
                                       {"encode_keep_buffer", cjson_keep_buffer},
                                       {"encode_invalid_numbers", cjson_encode_invalid},
                                       {"decode_invalid_numbers", cjson_decode_invalid},
                                       {"new", cjson_new}};
  for (const luaL_Reg& function : functions) {
    lua_pushvalue(state, -1);
    lua_pushcclosure(state, function.func, 1);
    lua_setfield(state, -3, function.name);
  }
  lua_pop(state, 1);
  lua_pushlightuserdata(state, nullptr);
  lua_setfield(state, -2, "null");
  lua_pushliteral(state, "cjson");
  lua_setfield(state, -2, "_NAME");
  lua_pushliteral(state, "2.1.0");
  lua_setfield(state, -2, "_VERSION");
}

}  // namespace

void open_cjson(lua_State* state) {
  lua_pushnil(state);
  set_functions(state);
}

}  // namespace cohsim::lua
