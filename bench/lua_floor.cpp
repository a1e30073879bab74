// The bare floor for one EVALSHA of :coherence_drop: the loaded chunk called through Lua's C API, KEYS and ARGV set per
// call, GET and DEL on a hash map. No sandbox, no replies, no expiry, no arity checks.
//   lua_floor SCRIPT.lua keep|drop N
// "keep": equal version, the row stays. "drop": an older row, deleted and written again each time.
#include <cstdio>
#include <cstdlib>
#include <lua5.1/lua.hpp>
#include <string>
#include <unordered_map>

namespace {

std::unordered_map<std::string, std::string> rows;

int call(lua_State* state) {
  std::size_t verb_size = 0;
  std::size_t key_size = 0;
  const char* const verb = lua_tolstring(state, 1, &verb_size);
  const char* const key_text = lua_tolstring(state, 2, &key_size);
  const std::string key(key_text, key_size);
  if (verb[0] == 'G') {
    const auto row = rows.find(key);
    if (row == rows.end()) {
      lua_pushboolean(state, 0);
    } else {
      lua_pushlstring(state, row->second.data(), row->second.size());
    }
  } else {
    lua_pushnumber(state, static_cast<lua_Number>(rows.erase(key)));
  }
  return 1;
}

void set_list(lua_State* state, const char* name, const std::string& item) {
  lua_createtable(state, 1, 0);
  lua_pushlstring(state, item.data(), item.size());
  lua_rawseti(state, -2, 1);
  lua_setglobal(state, name);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: lua_floor SCRIPT.lua keep|drop N\n"), 2;
  const bool drop = std::string(argv[2]) == "drop";
  const long count = std::atol(argv[3]);
  lua_State* const state = luaL_newstate();
  luaL_openlibs(state);
  lua_newtable(state);
  lua_pushcfunction(state, call);
  lua_setfield(state, -2, "call");
  lua_setglobal(state, "redis");
  if (luaL_loadfile(state, argv[1]) != 0) return std::fprintf(stderr, "%s\n", lua_tostring(state, -1)), 2;
  const int chunk = luaL_ref(state, LUA_REGISTRYINDEX);
  const std::string key = "ecc:{users}:USR0KHTOWnGLuC";
  const std::string version = "TXN0KHTOWnGLuC";
  const std::string row = std::string(drop ? "TXN0KHTOWnGLuB" : "TXN0KHTOWnGLuC") + "a value of some size";
  rows[key] = row;
  double sum = 0;
  for (long i = 0; i < count; ++i) {
    if (drop) rows[key] = row;
    set_list(state, "KEYS", key);
    set_list(state, "ARGV", version);
    lua_rawgeti(state, LUA_REGISTRYINDEX, chunk);
    if (lua_pcall(state, 0, 1, 0) != 0) return std::fprintf(stderr, "%s\n", lua_tostring(state, -1)), 1;
    sum += lua_tonumber(state, -1);
    lua_pop(state, 1);
  }
  lua_close(state);
  return sum == (drop ? static_cast<double>(count) : 0.0) ? 0 : 1;
}
