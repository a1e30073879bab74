// The functions that reach a table past its metatable: on a read-only table they read what stands behind it, and refuse
// to write, as the server's patched Lua does.
#include <lua5.1/lua.hpp>

#include "lua/bounded_text.h"
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

// Stock functions that go through a table inside liblua, where no instruction is counted, are charged for it beforehand.

void charge_items(lua_State* state, std::size_t times = 1) {
  if (lua_istable(state, 1)) charge_work(state, lua_objlen(state, 1) * times * step_bytes);
}

/// insert in the middle, remove from it: the items behind move.
int moves_items(lua_State* state) {
  const bool at_end = lua_gettop(state) < (lua_toboolean(state, lua_upvalueindex(2)) != 0 ? 3 : 2);
  if (!at_end) charge_items(state);
  return writes_first(state);
}

int sorts_items(lua_State* state) {
  std::size_t rounds = 1;
  for (std::size_t items = lua_istable(state, 1) ? lua_objlen(state, 1) : 0; items > 1; items /= 2) ++rounds;
  charge_items(state, rounds);
  return writes_first(state);
}

/// maxn, foreach: the part of a table that is no list cannot be asked for its size, but memory bounds it.
int reads_all(lua_State* state) {
  charge_work(state, engine_of(state).used_bytes);
  return reads_first(state);
}

/// concat: an item that is a number is made into text.
int reads_items(lua_State* state) {
  charge_items(state, 16);
  const int results = reads_first(state);
  if (results == 1 && lua_type(state, -1) == LUA_TSTRING) charge_work(state, lua_objlen(state, -1));
  return results;
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
  if (lua_isnil(state, 2)) charge_work(state, engine_of(state).used_bytes / 16);  // it may have to pass what was set to nil
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
  for (const char* const name : {"insert", "remove"}) {
    lua_getfield(state, -1, name);
    lua_pushboolean(state, name[0] == 'i');
    lua_pushcclosure(state, moves_items, 2);
    lua_setfield(state, -2, name);
  }
  wrap_original(state, "sort", sorts_items);
  wrap_original(state, "setn", writes_first);
  for (const char* const name : {"foreach", "foreachi", "maxn"}) wrap_original(state, name, reads_all);
  wrap_original(state, "concat", reads_items);
  wrap_original(state, "getn", reads_first);
}

}  // namespace cohsim::lua
