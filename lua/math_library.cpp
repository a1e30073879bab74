// math.random and math.randomseed on the server's own generator (script_lua.c: redis_math_random).
#include <cmath>
#include <limits>
#include <lua5.1/lua.hpp>

#include "lua/engine.h"

namespace cohsim::lua {

namespace {

int math_random(lua_State* state) {
  Random48* const random = engine_of(state).random;
  if (random == nullptr) return luaL_error(state, "math.random can only be called inside a script invocation");
  constexpr std::uint32_t limit = std::numeric_limits<std::int32_t>::max();
  const lua_Number ratio = static_cast<lua_Number>(random->next() % limit) / static_cast<lua_Number>(limit);
  switch (lua_gettop(state)) {
    case 0:
      lua_pushnumber(state, ratio);
      break;
    case 1: {
      const int upper = luaL_checkint(state, 1);
      luaL_argcheck(state, 1 <= upper, 1, "interval is empty");
      lua_pushnumber(state, std::floor(ratio * upper) + 1);
      break;
    }
    case 2: {
      const int lower = luaL_checkint(state, 1);
      const int upper = luaL_checkint(state, 2);
      luaL_argcheck(state, lower <= upper, 2, "interval is empty");
      lua_pushnumber(state, std::floor(ratio * (static_cast<lua_Number>(upper) - lower + 1)) + lower);
      break;
    }
    default:
      return luaL_error(state, "wrong number of arguments");
  }
  return 1;
}

int math_randomseed(lua_State* state) {
  const int seed = luaL_checkint(state, 1);
  Random48* const random = engine_of(state).random;
  if (random != nullptr) random->seed(seed);
  return 0;
}

}  // namespace

void open_math(lua_State* state) {
  lua_pushcfunction(state, math_random);
  lua_setfield(state, -2, "random");
  lua_pushcfunction(state, math_randomseed);
  lua_setfield(state, -2, "randomseed");
}

}  // namespace cohsim::lua
