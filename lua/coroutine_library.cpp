// Coroutines under the instruction limit: each thread counts by itself, so its hook fires often enough that a swarm of
// short coroutines cannot outrun the limit.
#include <lua5.1/lua.hpp>

#include "lua/engine.h"

namespace cohsim::lua {

namespace {

int call_original(lua_State* state) { return lua_tocfunction(state, lua_upvalueindex(1))(state); }

int coroutine_create(lua_State* state) {
  const int results = call_original(state);
  lua_State* const thread = lua_tothread(state, -1);
  if (thread != nullptr) lua_sethook(thread, count_hook, LUA_MASKCOUNT, coroutine_hook_period);
  return results;
}

int coroutine_wrap(lua_State* state) {
  const int results = call_original(state);
  lua_getupvalue(state, -1, 1);
  lua_State* const thread = lua_tothread(state, -1);
  lua_pop(state, 1);
  if (thread != nullptr) lua_sethook(thread, count_hook, LUA_MASKCOUNT, coroutine_hook_period);
  return results;
}

int coroutine_resume(lua_State* state) {
  const int results = call_original(state);
  if (engine_of(state).abort != Abort::none) raise_abort(state);
  return results;
}

void wrap_original(lua_State* state, const char* name, lua_CFunction wrapper) {
  lua_getfield(state, -1, name);
  lua_pushcclosure(state, wrapper, 1);
  lua_setfield(state, -2, name);
}

}  // namespace

void open_coroutine(lua_State* state) {
  wrap_original(state, "create", coroutine_create);
  wrap_original(state, "wrap", coroutine_wrap);
  wrap_original(state, "resume", coroutine_resume);
}

}  // namespace cohsim::lua
