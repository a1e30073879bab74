// The base functions that catch errors, compile or turn values into text. Those that catch raise again while the script
// is being stopped, so that no script outlives its limits.
#include <fmt/format.h>

#include <lua5.1/lua.hpp>

#include "lua/bounded_text.h"
#include "lua/engine.h"

namespace cohsim::lua {

namespace {

/// As luaRedisPcall: the error table of redis.call becomes its text.
int base_pcall(lua_State* state) {
  luaL_checkany(state, 1);
  lua_pushboolean(state, 1);
  lua_insert(state, 1);
  const int status = lua_pcall(state, lua_gettop(state) - 2, LUA_MULTRET, 0);
  if (engine_of(state).abort != Abort::none) raise_abort(state);
  if (status != 0) {
    lua_remove(state, 1);
    if (lua_istable(state, -1)) {
      lua_getfield(state, -1, "err");
      if (lua_isstring(state, -1)) lua_replace(state, -2);
    }
    lua_pushboolean(state, 0);
    lua_insert(state, 1);
  }
  return lua_gettop(state);
}

/// Calls the script's handler (upvalue 1), but not for the error that stops the script: no hook would run inside.
int guarded_handler(lua_State* state) {
  if (engine_of(state).abort != Abort::none) return 1;
  lua_settop(state, 1);
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_insert(state, 1);
  lua_call(state, 1, 1);
  return 1;
}

int base_xpcall(lua_State* state) {
  luaL_checkany(state, 2);
  lua_settop(state, 2);
  lua_pushcclosure(state, guarded_handler, 1);
  lua_insert(state, 1);
  const int status = lua_pcall(state, 0, LUA_MULTRET, 1);
  if (engine_of(state).abort != Abort::none) raise_abort(state);
  lua_pushboolean(state, status == 0 ? 1 : 0);
  lua_replace(state, 1);
  return lua_gettop(state);
}

/// A leading blank makes the lexer meet the escape character of bytecode, and refuse it in the server's own words.
struct TextReader {
  std::string_view text;
  bool blank_first = false;
};

const char* read_text(lua_State*, void* user_data, std::size_t* bytes) {
  TextReader& reader = *static_cast<TextReader*>(user_data);
  if (reader.blank_first) {
    reader.blank_first = false;
    *bytes = 1;
    return " ";
  }
  *bytes = reader.text.size();
  const char* const start = reader.text.empty() ? nullptr : reader.text.data();
  reader.text = {};
  return start;
}

int loaded(lua_State* state, int status) {
  if (engine_of(state).abort != Abort::none) raise_abort(state);
  if (status == 0) return 1;
  lua_pushnil(state);
  lua_insert(state, -2);
  return 2;
}

int base_loadstring(lua_State* state) {
  std::size_t bytes = 0;
  const char* const text = luaL_checklstring(state, 1, &bytes);
  const char* const name = luaL_optstring(state, 2, text);
  charge_work(state, bytes * step_bytes);
  TextReader reader{{text, bytes}, bytes != 0 && text[0] == LUA_SIGNATURE[0]};
  return loaded(state, lua_load(state, read_text, &reader, name));
}

/// Collects the pieces first (the reader function may not yield anyway), then compiles them as one text.
int base_load(lua_State* state) {
  const char* const name = luaL_optstring(state, 2, "=(load)");
  luaL_checktype(state, 1, LUA_TFUNCTION);
  lua_settop(state, 2);
  lua_newtable(state);
  int pieces = 0;
  for (;; ++pieces) {
    lua_pushvalue(state, 1);
    const int status = lua_pcall(state, 0, 1, 0);
    if (status != 0) return loaded(state, status);
    if (lua_isnil(state, -1)) break;
    if (lua_isstring(state, -1) == 0) {
      lua_pushliteral(state, "reader function must return a string");
      return loaded(state, LUA_ERRRUN);
    }
    if (lua_objlen(state, -1) == 0) break;
    lua_rawseti(state, 3, pieces + 1);
  }
  lua_settop(state, 3);
  luaL_Buffer buffer;
  luaL_buffinit(state, &buffer);
  for (int piece = 1; piece <= pieces; ++piece) {
    lua_rawgeti(state, 3, piece);
    luaL_addvalue(&buffer);
  }
  luaL_pushresult(&buffer);
  std::size_t bytes = 0;
  const char* const text = lua_tolstring(state, -1, &bytes);
  TextReader reader{{text, bytes}, bytes != 0 && text[0] == LUA_SIGNATURE[0]};
  return loaded(state, lua_load(state, read_text, &reader, name));
}

/// Numbers tables and functions in the order of asking: their addresses would differ from run to run.
int base_tostring(lua_State* state) {
  luaL_checkany(state, 1);
  const int type = lua_type(state, 1);
  const bool has_address = type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD || type == LUA_TUSERDATA;
  if (lua_islightuserdata(state, 1)) {
    lua_pushliteral(state, "userdata: (nil)");  // cjson.null, the only one
    return 1;
  }
  if (!has_address || luaL_getmetafield(state, 1, "__tostring") != 0) {
    lua_settop(state, 1);
    return lua_tocfunction(state, lua_upvalueindex(1))(state);
  }
  lua_settop(state, 1);
  lua_getfield(state, LUA_REGISTRYINDEX, "cohsim.identities");
  lua_pushvalue(state, 1);
  lua_rawget(state, 2);
  if (lua_isnil(state, -1)) {
    lua_pop(state, 1);
    lua_pushnumber(state, static_cast<lua_Number>(++engine_of(state).identities));
    lua_pushvalue(state, 1);
    lua_pushvalue(state, -2);
    lua_rawset(state, 2);
  }
  const auto number = static_cast<std::uint64_t>(lua_tonumber(state, -1));
  lua_pushstring(state, fmt::format("{}: 0x{:014x}", lua_typename(state, type), number * 64).c_str());
  return 1;
}

/// The collector runs by itself; how full memory is depends on what ran before, so scripts may not ask.
int base_collectgarbage(lua_State* state) {
  static const char* const options[] = {"stop", "restart",  "collect",    "count",
                                        "step", "setpause", "setstepmul", nullptr};
  const int option = luaL_checkoption(state, 1, "collect", options);
  if (option == 3) raise_not_simulated(state, "collectgarbage('count')");
  if (option == 4) {
    lua_pushboolean(state, 1);
  } else {
    lua_pushnumber(state, 0);
  }
  return 1;
}

int base_gcinfo(lua_State* state) { raise_not_simulated(state, "gcinfo"); }

}  // namespace

void open_base(lua_State* state) {
  static const luaL_Reg functions[] = {{"pcall", base_pcall},
                                       {"xpcall", base_xpcall},
                                       {"load", base_load},
                                       {"loadstring", base_loadstring},
                                       {"collectgarbage", base_collectgarbage},
                                       {"gcinfo", base_gcinfo},
                                       {nullptr, nullptr}};
  luaL_register(state, nullptr, functions);
  lua_getfield(state, -1, "tostring");
  lua_pushcclosure(state, base_tostring, 1);
  lua_setfield(state, -2, "tostring");
}

}  // namespace cohsim::lua
