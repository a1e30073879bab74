// Library functions of Lua whose time is not bounded by instructions: each is charged before it runs, by the size of
// its input, or refused.
#include <algorithm>
#include <cstring>
#include <lua5.1/lua.hpp>

#include "lua/host_state.h"
#include "lua/pattern_cost.h"

namespace cohsim::lua {

namespace {

constexpr std::size_t pattern_bytes_max = 250;  // the matcher calls itself once a pattern item

/// Calls the library's own function, upvalue 1, with the same arguments.
int pass_on(lua_State* state) {
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_insert(state, 1);
  lua_call(state, lua_gettop(state) - 1, LUA_MULTRET);
  return lua_gettop(state);
}

int bounded_match(lua_State* state) {
  std::size_t bytes = 0;
  std::size_t pattern_bytes = 0;
  luaL_checklstring(state, 1, &bytes);
  const char* const pattern = luaL_checklstring(state, 2, &pattern_bytes);
  if (pattern_bytes > pattern_bytes_max) {
    return luaL_error(state, "a pattern of more than %d bytes", static_cast<int>(pattern_bytes_max));
  }
  const Host::Impl& host = host_of(state);
  const double steps = worst_match_steps({pattern, pattern_bytes}, bytes);
  const std::uint64_t left = host.limits.instructions - std::min(host.limits.instructions, host.instructions);
  if (steps > 8.0 * static_cast<double>(left)) return luaL_error(state, "this pattern could take too long here");
  charge(state, static_cast<std::uint64_t>(steps / 16));
  return pass_on(state);
}

int bounded_rep(lua_State* state) {
  std::size_t bytes = 0;
  luaL_checklstring(state, 1, &bytes);
  const lua_Number times = luaL_checknumber(state, 2);
  if (bytes == 0 || !(times >= 1)) {
    lua_pushliteral(state, "");
    return 1;
  }
  const double size = static_cast<double>(bytes) * times;
  if (size > static_cast<double>(host_of(state).limits.block_bytes / 2)) {
    return luaL_error(state, "string.rep: too long a string");
  }
  charge(state, static_cast<std::uint64_t>(times / 4));
  return pass_on(state);
}

/// Functions that read their first argument from end to end.
int charged_by_text(lua_State* state) {
  std::size_t bytes = 0;
  luaL_checklstring(state, 1, &bytes);
  charge(state, bytes / 16);
  return pass_on(state);
}

int charged_by_items(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  charge(state, lua_objlen(state, 1));
  return pass_on(state);
}

int charged_by_sorting(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  charge(state, lua_objlen(state, 1) * 20);
  return pass_on(state);
}

/// table.maxn walks the hash part as well, whose size only a walk tells.
int charged_maxn(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  std::uint64_t count = 0;
  for (lua_pushnil(state); lua_next(state, 1) != 0; lua_pop(state, 1)) ++count;
  charge(state, count);
  return pass_on(state);
}

void wrap(lua_State* state, const char* name, lua_CFunction function) {
  lua_getfield(state, -1, name);
  lua_pushcclosure(state, function, 1);
  lua_setfield(state, -2, name);
}

}  // namespace

void bound_string_library(lua_State* state) {
  for (const char* name : {"find", "match", "gmatch", "gsub"}) wrap(state, name, bounded_match);
  for (const char* name : {"lower", "upper", "reverse"}) wrap(state, name, charged_by_text);
  wrap(state, "rep", bounded_rep);
}

void bound_table_library(lua_State* state) {
  for (const char* name : {"concat", "insert", "remove"}) wrap(state, name, charged_by_items);
  wrap(state, "sort", charged_by_sorting);
  wrap(state, "maxn", charged_maxn);
}

}  // namespace cohsim::lua
