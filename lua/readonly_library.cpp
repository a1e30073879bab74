// The functions that reach a table past its metatable: on a read-only table they read what stands behind it, and refuse
// to write, as the server's patched Lua does.
#include <lua5.1/lua.hpp>

#include "lua/engine.h"

namespace cohsim::lua {

namespace {

int call_original(lua_State* state) { return lua_tocfunction(state, lua_upvalueindex(1))(state); }

int base_rawget(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  luaL_checkany(state, 2);
  lua_settop(state, 2);
  resolve_backing(state, 1);
  lua_rawget(state, 1);
  return 1;
}

int writes_first(lua_State* state) {
  if (is_readonly(state, 1)) raise_readonly(state, false);
  return call_original(state);
}

int reads_first(lua_State* state) {
  if (lua_istable(state, 1)) resolve_backing(state, 1);
  return call_original(state);
}

/// Stock Lua's own check of the range overflows, and crashes (CVE-2025-46817).
int base_unpack(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  resolve_backing(state, 1);
  const std::int64_t first = luaL_optint(state, 2, 1);
  const std::int64_t last = lua_isnoneornil(state, 3) ? static_cast<std::int64_t>(lua_objlen(state, 1))
                                                      : static_cast<std::int64_t>(luaL_checkint(state, 3));
  if (first > last) return 0;
  const std::int64_t count = last - first + 1;
  if (count > LUAI_MAXCSTACK || lua_checkstack(state, static_cast<int>(count)) == 0) {
    return luaL_error(state, "too many results to unpack");
  }
  for (std::int64_t place = first; place <= last; ++place) lua_rawgeti(state, 1, static_cast<int>(place));
  return static_cast<int>(count);
}

int base_next(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  lua_settop(state, 2);
  resolve_backing(state, 1);
  if (lua_next(state, 1) == 0) {
    lua_pushnil(state);
    return 1;
  }
  const int type = lua_type(state, -2);
  if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD) {
    raise_not_simulated(state, "going through a table whose keys are tables or functions (their order is by address)");
  }
  return 2;
}

int base_pairs(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_pushvalue(state, 1);
  lua_pushnil(state);
  return 3;
}

int base_getmetatable(lua_State* state) {
  luaL_checkany(state, 1);
  if (lua_type(state, 1) == LUA_TSTRING) {
    lua_getfield(state, LUA_REGISTRYINDEX, "cohsim.string_metatable");
    return 1;
  }
  if (!is_readonly(state, 1)) return call_original(state);
  lua_getmetatable(state, 1);
  lua_rawgeti(state, -1, 3);
  return 1;
}

void wrap_original(lua_State* state, const char* name, lua_CFunction wrapper) {
  lua_getfield(state, -1, name);
  lua_pushcclosure(state, wrapper, 1);
  lua_setfield(state, -2, name);
}

}  // namespace

void open_readonly(lua_State* state) {
  lua_pushcfunction(state, base_rawget);
  lua_setfield(state, -2, "rawget");
  wrap_original(state, "rawset", writes_first);
  wrap_original(state, "setmetatable", writes_first);
  wrap_original(state, "getmetatable", base_getmetatable);
  lua_pushcfunction(state, base_unpack);
  lua_setfield(state, -2, "unpack");
  lua_pushcfunction(state, base_next);
  lua_pushvalue(state, -1);
  lua_setfield(state, -3, "next");
  lua_pushcclosure(state, base_pairs, 1);
  lua_setfield(state, -2, "pairs");
}

void open_table(lua_State* state) {
  for (const char* const name : {"insert", "remove", "sort", "setn"}) wrap_original(state, name, writes_first);
  for (const char* const name : {"foreach", "foreachi", "maxn", "getn", "concat"}) {
    wrap_original(state, name, reads_first);
  }
}

}  // namespace cohsim::lua
