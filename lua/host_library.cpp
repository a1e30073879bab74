#include <algorithm>
#include <array>
#include <lua5.1/lua.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "lua/host_state.h"

namespace cohsim::lua {

namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 14> kept_globals{"assert", "error",  "ipairs", "rawequal", "select",
                                                        "string", "table",  "math",   "tonumber", "type",
                                                        "unpack", "xpcall", "pcall",  "_VERSION"};
constexpr std::array<std::string_view, 13> kept_string{"byte",  "char",  "find", "format",  "gmatch", "gsub", "len",
                                                       "lower", "match", "rep",  "reverse", "sub",    "upper"};
constexpr std::array<std::string_view, 5> kept_table{"concat", "insert", "maxn", "remove", "sort"};
// Without what a C library may round in its own way (sin, exp, log, pow), and without random.
constexpr std::array<std::string_view, 10> kept_math{"abs", "ceil", "floor", "fmod", "huge",
                                                     "max", "min",  "modf",  "pi",   "sqrt"};

/// Removes every other key of the table on top.
void keep_only(lua_State* state, Names names) {
  std::vector<std::string> gone;
  for (lua_pushnil(state); lua_next(state, -2) != 0; lua_pop(state, 1)) {
    if (lua_type(state, -2) != LUA_TSTRING) continue;
    std::string name = lua_tostring(state, -2);
    if (std::find(names.begin(), names.end(), name) == names.end()) gone.push_back(std::move(name));
  }
  for (const std::string& name : gone) {
    lua_pushnil(state);
    lua_setfield(state, -2, name.c_str());
  }
}

/// A key in the order of `pairs`.
struct Key {
  int kind;  // 0 number, 1 string, 2 boolean
  double number = 0;
  std::string_view text = {};
  friend bool operator<(const Key& a, const Key& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    return a.kind == 1 ? a.text < b.text : a.number < b.number;
  }
};

Key key_at(lua_State* state, int index) {
  switch (lua_type(state, index)) {
    case LUA_TNUMBER:
      return {0, lua_tonumber(state, index)};
    case LUA_TBOOLEAN:
      return {2, static_cast<double>(lua_toboolean(state, index))};
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* const bytes = lua_tolstring(state, index, &size);
      return {1, 0, {bytes, size}};
    }
    default:
      luaL_error(state, "a table whose keys are tables or functions has no order to go through");
      return {};
  }
}

void push_key(lua_State* state, const Key& key) {
  if (key.kind == 1) {
    lua_pushlstring(state, key.text.data(), key.text.size());
  } else if (key.kind == 2) {
    lua_pushboolean(state, key.number != 0 ? 1 : 0);
  } else {
    lua_pushnumber(state, key.number);
  }
}

/// Keys of the table at `index`, unordered. Their texts live as long as the table holds them.
std::vector<Key> keys_of(lua_State* state, int index) {
  std::vector<Key> keys;
  for (lua_pushnil(state); lua_next(state, index) != 0; lua_pop(state, 1)) keys.push_back(key_at(state, -2));
  charge(state, keys.size() * 4);
  return keys;
}

int next_in_order(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  lua_settop(state, 2);
  const bool first = lua_isnil(state, 2);
  const Key after = first ? Key{0} : key_at(state, 2);
  const Key* best = nullptr;
  const std::vector<Key> keys = keys_of(state, 1);
  for (const Key& key : keys) {
    if ((first || after < key) && (best == nullptr || key < *best)) best = &key;
  }
  if (best == nullptr) {
    lua_pushnil(state);
    return 1;
  }
  push_key(state, *best);
  lua_pushvalue(state, -1);
  lua_rawget(state, 1);
  return 2;
}

// Upvalues: the table, its keys in order, how many were given.
int next_of_snapshot(lua_State* state) {
  const int count = static_cast<int>(lua_objlen(state, lua_upvalueindex(2)));
  int at = static_cast<int>(lua_tointeger(state, lua_upvalueindex(3)));
  while (at < count) {
    lua_rawgeti(state, lua_upvalueindex(2), ++at);
    lua_pushvalue(state, -1);
    lua_rawget(state, lua_upvalueindex(1));
    if (!lua_isnil(state, -1)) {
      lua_pushinteger(state, at);
      lua_replace(state, lua_upvalueindex(3));
      return 2;
    }
    lua_pop(state, 2);  // removed meanwhile
  }
  lua_pushnil(state);
  return 1;
}

int pairs_in_order(lua_State* state) {
  luaL_checktype(state, 1, LUA_TTABLE);
  lua_settop(state, 1);
  std::vector<Key> keys = keys_of(state, 1);
  std::sort(keys.begin(), keys.end());
  lua_pushvalue(state, 1);
  lua_createtable(state, static_cast<int>(keys.size()), 0);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    push_key(state, keys[i]);
    lua_rawseti(state, -2, static_cast<int>(i + 1));
  }
  lua_pushinteger(state, 0);
  lua_pushcclosure(state, next_of_snapshot, 3);
  lua_pushvalue(state, 1);
  lua_pushnil(state);
  return 3;
}

/// Tables and functions get numbers, in the order in which they are first asked for. Upvalue: object → number.
int numbered_tostring(lua_State* state) {
  luaL_checkany(state, 1);
  switch (lua_type(state, 1)) {
    case LUA_TNIL:
      lua_pushliteral(state, "nil");
      return 1;
    case LUA_TBOOLEAN:
      lua_pushstring(state, lua_toboolean(state, 1) != 0 ? "true" : "false");
      return 1;
    case LUA_TNUMBER:
      lua_pushstring(state, lua_tostring(state, 1));
      return 1;
    case LUA_TSTRING:
      lua_pushvalue(state, 1);
      return 1;
    default:
      break;
  }
  lua_pushvalue(state, 1);
  lua_rawget(state, lua_upvalueindex(1));
  if (lua_isnil(state, -1)) {
    lua_pop(state, 1);
    lua_pushvalue(state, 1);
    lua_pushnumber(state, static_cast<double>(++host_of(state).identities));
    lua_rawset(state, lua_upvalueindex(1));
    lua_pushvalue(state, 1);
    lua_rawget(state, lua_upvalueindex(1));
  }
  const auto number = static_cast<int>(lua_tointeger(state, -1));
  lua_pushfstring(state, "%s: %d", luaL_typename(state, 1), number);
  return 1;
}

int give_results(lua_State* state, int status) {
  if (host_of(state).stop != Stop::none) raise_stop(state);
  luaL_checkstack(state, 1, "results");
  lua_pushboolean(state, status == 0 ? 1 : 0);
  lua_insert(state, 1);
  return lua_gettop(state);
}

int bounded_pcall(lua_State* state) {
  luaL_checkany(state, 1);
  return give_results(state, lua_pcall(state, lua_gettop(state) - 1, LUA_MULTRET, 0));
}

/// Upvalue: the file's own handler. An error of the count hook comes while hooks are off, so it must not run then.
int bounded_handler(lua_State* state) {
  if (host_of(state).stop != Stop::none) return 1;
  lua_settop(state, 1);
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_insert(state, 1);
  lua_call(state, 1, 1);
  return 1;
}

int bounded_xpcall(lua_State* state) {
  luaL_checkany(state, 2);
  lua_settop(state, 2);
  lua_pushcclosure(state, bounded_handler, 1);
  lua_insert(state, 1);  // below the function
  const int status = lua_pcall(state, 0, LUA_MULTRET, 1);
  lua_remove(state, 1);
  return give_results(state, status);
}

int constant_collectgarbage(lua_State* state) {
  lua_pushinteger(state, 0);
  return 1;
}

void set_function(lua_State* state, const char* name, lua_CFunction function) {
  lua_pushcfunction(state, function);
  lua_setfield(state, LUA_GLOBALSINDEX, name);
}

void open(lua_State* state, const char* name, lua_CFunction opener) {
  lua_pushcfunction(state, opener);
  lua_pushstring(state, name);
  lua_call(state, 1, 0);
}

void trim(lua_State* state, const char* name, Names names, void (*bound)(lua_State*)) {
  lua_getfield(state, LUA_GLOBALSINDEX, name);
  keep_only(state, names);
  if (bound != nullptr) bound(state);
  lua_pop(state, 1);
}

}  // namespace

void open_data_library(lua_State* state) {
  open(state, "", luaopen_base);
  open(state, LUA_STRLIBNAME, luaopen_string);
  open(state, LUA_TABLIBNAME, luaopen_table);
  open(state, LUA_MATHLIBNAME, luaopen_math);
  lua_pushvalue(state, LUA_GLOBALSINDEX);
  keep_only(state, kept_globals);
  lua_pop(state, 1);
  trim(state, LUA_STRLIBNAME, kept_string, bound_string_library);
  trim(state, LUA_TABLIBNAME, kept_table, bound_table_library);
  trim(state, LUA_MATHLIBNAME, kept_math, nullptr);
  set_function(state, "next", next_in_order);
  set_function(state, "pairs", pairs_in_order);
  set_function(state, "pcall", bounded_pcall);
  set_function(state, "xpcall", bounded_xpcall);
  set_function(state, "collectgarbage", constant_collectgarbage);
  lua_newtable(state);
  lua_pushcclosure(state, numbered_tostring, 1);
  lua_setfield(state, LUA_GLOBALSINDEX, "tostring");
}

}  // namespace cohsim::lua
