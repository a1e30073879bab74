// The server's globals, read-only. Stock Lua has no read-only tables, so scripts see empty tables in front of the real
// ones: reads fall through __index, writes meet __newindex, and the functions that look past metatables are wrapped.
#include <array>
#include <cstdlib>
#include <lua5.1/lua.hpp>

#include "lua/engine.h"

namespace cohsim::lua {

namespace {

/// Marks the metatable of a read-only table: [1] = this address, [2] = the table behind, [3] = what getmetatable shows.
char readonly_mark = 0;

int readonly_write(lua_State* state) { raise_readonly(state, true); }

int missing_global(lua_State* state) {
  if (lua_gettop(state) != 2) return luaL_error(state, "Wrong number of arguments to luaProtectedTableError");
  if (lua_isstring(state, -1) == 0) {
    return luaL_error(state, "Second argument to luaProtectedTableError must be a string or number");
  }
  return luaL_error(state, "Script attempted to access nonexistent global variable '%s'", lua_tostring(state, -1));
}

/// Pushes the table behind the one at `index`, if that is read-only; else pushes nothing.
bool push_backing(lua_State* state, int index) {
  if (lua_type(state, index) != LUA_TTABLE || lua_getmetatable(state, index) == 0) return false;
  lua_rawgeti(state, -1, 1);
  const bool marked = lua_touserdata(state, -1) == &readonly_mark;
  lua_pop(state, 1);
  if (marked) {
    lua_rawgeti(state, -1, 2);
    lua_replace(state, -2);
  } else {
    lua_pop(state, 1);
  }
  return marked;
}

/// os.clock: processor time would differ from run to run, and time is frozen in a script.
int frozen_clock(lua_State* state) {
  lua_pushnumber(state, 0);
  return 1;
}

void copy_table(lua_State* state, const char* library) {
  lua_newtable(state);
  lua_getglobal(state, library);
  for (lua_pushnil(state); lua_next(state, -2) != 0;) {
    lua_pushvalue(state, -2);
    lua_insert(state, -2);
    lua_rawset(state, -5);
  }
  lua_pop(state, 1);
}

void set_library(lua_State* state, const char* name, void (*open)(lua_State*)) {
  copy_table(state, name);
  if (open != nullptr) open(state);
  push_readonly(state, 0);
  lua_setfield(state, -2, name);
}

/// Strings' methods: the table behind `string`; what getmetatable('') shows is a read-only view.
void set_string_metatable(lua_State* state) {
  lua_getfield(state, -1, "string");
  lua_newtable(state);
  lua_pushvalue(state, -2);
  lua_setfield(state, -2, "__index");
  push_readonly(state, 0);
  lua_setfield(state, LUA_REGISTRYINDEX, "cohsim.string_metatable");
  lua_pushliteral(state, "");
  lua_getmetatable(state, -1);
  push_backing(state, -3);
  lua_setfield(state, -2, "__index");
  lua_pop(state, 3);
}

void set_server_libraries(lua_State* state) {
  static constexpr std::pair<const char*, void (*)(lua_State*)> libraries[] = {
      {"cjson", open_cjson}, {"cmsgpack", open_cmsgpack}, {"struct", open_struct}, {"bit", open_bit}};
  for (const auto& [name, open] : libraries) {
    lua_newtable(state);
    open(state);
    push_readonly(state, 0);
    lua_setfield(state, -2, name);
  }
  lua_newtable(state);
  open_redis(state);
  push_readonly(state, 0);
  if (engine_of(state).facts->is_valkey) {
    lua_pushvalue(state, -1);
    lua_setfield(state, -3, "server");
    lua_newtable(state);
    lua_pushcfunction(state, frozen_clock);
    lua_setfield(state, -2, "clock");
    push_readonly(state, 0);
    lua_setfield(state, -3, "os");
  }
  lua_setfield(state, -2, "redis");
}

/// Raises for every field that the table on top of the stack has not.
void refuse_missing(lua_State* state) {
  lua_createtable(state, 0, 1);
  lua_pushcfunction(state, missing_global);
  lua_setfield(state, -2, "__index");
  lua_setmetatable(state, -2);
}

/// What a library sees while it is loaded: its own `redis`, and nothing else.
void set_load_globals(lua_State* state) {
  lua_newtable(state);
  lua_newtable(state);
  open_log(state);
  open_registration(state);
  refuse_missing(state);
  push_readonly(state, 0);
  if (engine_of(state).facts->is_valkey) {
    lua_pushvalue(state, -1);
    lua_setfield(state, -3, "server");
  }
  lua_setfield(state, -2, "redis");
  refuse_missing(state);
  lua_setfield(state, LUA_REGISTRYINDEX, "cohsim.load_globals");
}

/// Puts the read-only globals in front of the table on top of the stack and makes them the state's globals.
void install_globals(lua_State* state) {
  lua_newtable(state);
  lua_pushcfunction(state, missing_global);
  lua_setfield(state, -2, "__index");
  lua_pushvalue(state, -1);
  lua_setmetatable(state, -3);
  push_readonly(state, 0);  // the view of the metatable
  lua_pushvalue(state, -2);
  push_readonly(state, -2);
  lua_pushvalue(state, -1);
  lua_setfield(state, -4, "_G");
  lua_replace(state, LUA_GLOBALSINDEX);
  lua_pop(state, 1);
}

}  // namespace

bool is_readonly(lua_State* state, int index) {
  if (!push_backing(state, index)) return false;
  lua_pop(state, 1);
  return true;
}

void resolve_backing(lua_State* state, int index) {
  if (push_backing(state, index)) lua_replace(state, index);
}

void raise_readonly(lua_State* state, bool with_position) {
  if (with_position) luaL_error(state, "Attempt to modify a readonly table");
  lua_pushliteral(state, "Attempt to modify a readonly table");
  lua_error(state);
  std::abort();  // lua_error does not return
}

void push_readonly(lua_State* state, int visible) {
  const int backing = lua_gettop(state);
  const int shown = visible < 0 ? backing + 1 + visible : visible;
  lua_newtable(state);
  lua_createtable(state, 3, 2);
  lua_pushlightuserdata(state, &readonly_mark);
  lua_rawseti(state, -2, 1);
  lua_pushvalue(state, backing);
  lua_rawseti(state, -2, 2);
  if (shown != 0) {
    lua_pushvalue(state, shown);
    lua_rawseti(state, -2, 3);
  }
  lua_pushvalue(state, backing);
  lua_setfield(state, -2, "__index");
  lua_pushcfunction(state, readonly_write);
  lua_setfield(state, -2, "__newindex");
  lua_setmetatable(state, -2);
  lua_replace(state, backing);
}

void show_globals(lua_State* state, const char* name) {
  lua_pushvalue(state, LUA_GLOBALSINDEX);
  lua_getmetatable(state, -1);
  lua_getfield(state, LUA_REGISTRYINDEX, name);
  lua_pushvalue(state, -1);
  lua_rawseti(state, -3, 2);
  lua_setfield(state, -2, "__index");
  lua_pop(state, 2);
}

void push_sandbox(lua_State* state) {
  luaL_openlibs(state);
  lua_newtable(state);
  static constexpr std::array base = {"_VERSION", "assert",   "error",  "getmetatable", "ipairs", "next",
                                      "pairs",    "rawequal", "rawget", "rawset",       "select", "setmetatable",
                                      "tonumber", "tostring", "type",   "unpack"};
  for (const char* const name : base) {
    lua_getglobal(state, name);
    lua_setfield(state, -2, name);
  }
  open_base(state);
  open_readonly(state);
  set_library(state, "string", open_string);
  set_library(state, "table", open_table);
  set_library(state, "math", open_math);
  set_library(state, "coroutine", open_coroutine);
  set_string_metatable(state);
  set_server_libraries(state);
  install_globals(state);
  if (engine_of(state).for_libraries) set_load_globals(state);
}

}  // namespace cohsim::lua
