// redis.register_function, and the table `redis` that a library sees while it is loaded (function_lua.c).
#include <fmt/format.h>

#include <lua5.1/lua.hpp>

#include "lua/engine.h"
#include "lua/shebang.h"

namespace cohsim::lua {

namespace {

/// Raises "… redis.register_function …" with the name of this server's table in place of {}.
[[noreturn]] void refuse(lua_State* state, fmt::format_string<const char*&> text) {
  const char* library = engine_of(state).facts->is_valkey ? "server" : "redis";
  raise_error(state, fmt::format(text, library));
}

std::string text_at(lua_State* state, int index) {
  lua_pushvalue(state, index);  // converting a number in place would confuse lua_next
  std::size_t bytes = 0;
  const char* const text = lua_tolstring(state, -1, &bytes);
  std::string copy(text, bytes);
  lua_pop(state, 1);
  return copy;
}

void read_flags(lua_State* state, int index, ScriptFlags& flags) {
  for (int place = 1;; ++place) {
    lua_rawgeti(state, index, place);
    if (lua_isnil(state, -1)) break;
    if (lua_isstring(state, -1) == 0 || !set_flag(flags, text_at(state, -1))) raise_error(state, "unknown flag given");
    lua_pop(state, 1);
  }
  lua_pop(state, 1);
}

/// One named argument: its key at -2, its value at -1. The callback's place in the registry goes to `callback`.
void read_named(lua_State* state, LibraryFunction& function, bool& named, int& callback) {
  if (lua_isstring(state, -2) == 0) refuse(state, "named argument key given to {}.register_function is not a string");
  const std::string key = text_at(state, -2);
  if (key == "function_name") {
    if (lua_isstring(state, -1) == 0) {
      refuse(state, "function_name argument given to {}.register_function must be a string");
    }
    function.name = text_at(state, -1);
    named = true;
  } else if (key == "description") {
    if (lua_isstring(state, -1) == 0) {
      refuse(state, "description argument given to {}.register_function must be a string");
    }
    function.description = text_at(state, -1);
  } else if (key == "callback") {
    if (!lua_isfunction(state, -1)) {
      refuse(state, "callback argument given to {}.register_function must be a function");
    }
    callback = lua_gettop(state);
    lua_pushvalue(state, -1);
    lua_replace(state, 2);
    callback = 2;
  } else if (key == "flags") {
    if (!lua_istable(state, -1)) {
      refuse(state, "flags argument to {}.register_function must be a table representing function flags");
    }
    read_flags(state, lua_gettop(state), function.flags);
  } else {
    refuse(state, "unknown argument given to {}.register_function");
  }
}

/// Reads register_function{function_name=…, callback=…, …}; the callback is then in slot 2.
LibraryFunction read_table(lua_State* state) {
  LibraryFunction function;
  bool named = false;
  int callback = 0;
  lua_settop(state, 2);
  for (lua_pushnil(state); lua_next(state, 1) != 0; lua_pop(state, 1)) read_named(state, function, named, callback);
  if (!named) refuse(state, "{}.register_function must get a function name argument");
  if (callback == 0) refuse(state, "{}.register_function must get a callback argument");
  return function;
}

LibraryFunction read_arguments(lua_State* state) {
  const int count = lua_gettop(state);
  if (count < 1 || count > 2) refuse(state, "wrong number of arguments to {}.register_function");
  if (count == 1) {
    if (lua_istable(state, 1)) return read_table(state);
    refuse(state,
           "calling {}.register_function with a single argument is only applicable to Lua table (representing named "
           "arguments).");
  }
  if (lua_isstring(state, 1) == 0) refuse(state, "first argument to {}.register_function must be a string");
  if (!lua_isfunction(state, 2)) refuse(state, "second argument to {}.register_function must be a function");
  LibraryFunction function;
  function.name = text_at(state, 1);
  return function;
}

int register_function(lua_State* state) {
  Engine& engine = engine_of(state);
  if (engine.loading == nullptr) refuse(state, "{}.register_function can only be called on FUNCTION LOAD command");
  LibraryFunction function = read_arguments(state);
  if (!is_library_name(function.name)) {
    raise_error(state,
                "Library names can only contain letters, numbers, or underscores(_) and must be at least one character "
                "long");
  }
  for (const LibraryFunction& other : *engine.loading) {
    if (other.name == function.name) raise_error(state, "Function already exists in the library");
  }
  lua_pushvalue(state, 2);
  function.function.reference = luaL_ref(state, LUA_REGISTRYINDEX);
  function.function.of_library = true;
  engine.loading->push_back(std::move(function));
  return 0;
}

}  // namespace

void open_registration(lua_State* state) {
  lua_pushcfunction(state, register_function);
  lua_setfield(state, -2, "register_function");
}

}  // namespace cohsim::lua
