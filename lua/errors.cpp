// Errors that leave a script: eval.c's __redis__err__handler and luaCallFunction.
#include <fmt/format.h>

#include <lua5.1/lua.hpp>

#include "lua/engine.h"

namespace cohsim::lua {

int error_handler(lua_State* state) {
  Engine& engine = engine_of(state);
  if (engine.abort != Abort::none) return 1;
  lua_Debug record{};
  bool found = lua_getstack(state, 1, &record) != 0 && lua_getinfo(state, "Sl", &record) != 0;
  if (found && std::string_view(record.what) == "C") {
    found = lua_getstack(state, 2, &record) != 0 && lua_getinfo(state, "Sl", &record) != 0;
  }
  engine.error_line = found ? record.currentline : 0;
  engine.error_source = found ? record.source : "";
  if (lua_istable(state, 1) || lua_isstring(state, 1)) return 1;
  if (lua_isnil(state, 1)) {
    lua_pushliteral(state, "nil");
  } else if (lua_isboolean(state, 1)) {
    lua_pushstring(state, lua_toboolean(state, 1) != 0 ? "true" : "false");
  } else {
    lua_pushstring(state, lua_typename(state, lua_type(state, 1)));  // a real server adds an address
  }
  return 1;
}

std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& letter : line) {
    if (letter == '\r' || letter == '\n') letter = ' ';
  }
  return line;
}

std::string error_text(lua_State* state, const Engine& engine, std::string_view sha1) {
  std::string message = "ERR unknown error";  // real servers crash on error({}); later ones answer something like this
  if (lua_type(state, -1) == LUA_TTABLE) {
    lua_pushliteral(state, "err");
    lua_rawget(state, -2);
    if (lua_type(state, -1) == LUA_TSTRING) message = lua_tostring(state, -1);  // up to the first NUL, as there
    lua_pop(state, 1);
  } else if (lua_type(state, -1) == LUA_TSTRING) {
    message = fmt::format("ERR {}", lua_tostring(state, -1));
  } else if (lua_type(state, -1) == LUA_TNUMBER) {
    lua_pushvalue(state, -1);
    message = fmt::format("ERR {}", lua_tostring(state, -1));
    lua_pop(state, 1);
  }
  if (engine.error_line != 0) {
    message += fmt::format(" script: {}, on {}:{}.", sha1, engine.error_source, engine.error_line);
  }
  return one_line(message);
}

}  // namespace cohsim::lua
