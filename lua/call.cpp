// redis.call and redis.pcall: from the Lua stack to the server's commands and back.
#include <fmt/format.h>

#include <lua5.1/lua.hpp>

#include "lua/bounded_text.h"
#include "lua/engine.h"

namespace cohsim::lua {

namespace {

/// What a call is charged beside its arguments; what the command itself goes through is not known here.
constexpr std::size_t call_bytes = 1024;

/// Fills `engine.arguments` with views of the stack's strings; false where a value is neither string nor number.
bool collect_arguments(lua_State* state, Engine& engine, int count) {
  engine.arguments.clear();
  for (int index = 1; index <= count; ++index) {
    const int type = lua_type(state, index);
    if (type == LUA_TNUMBER) {
      const std::string text = engine.facts->argument_text(lua_tonumber(state, index));
      lua_pushlstring(state, text.data(), text.size());
      lua_replace(state, index);
    } else if (type != LUA_TSTRING) {
      return false;
    }
    std::size_t bytes = 0;
    const char* const text = lua_tolstring(state, index, &bytes);
    engine.arguments.emplace_back(text, bytes);
    charge_work(state, bytes);
  }
  return true;
}

/// Runs the command. No exception leaves: Lua's pcall would swallow it.
bool call_host(Engine& engine) noexcept {
  try {
    engine.call_reply.clear();
    return engine.host->call(engine.arguments, engine.resp, engine.call_reply);
  } catch (...) {
    engine.exception = std::current_exception();
    engine.abort = Abort::exception;
    return true;
  }
}

int call_command(lua_State* state, bool raises) {
  Engine& engine = engine_of(state);
  if (engine.abort != Abort::none) raise_abort(state);
  charge_work(state, call_bytes);
  const int count = lua_gettop(state);
  if (count == 0) {
    push_error(state, engine.facts->no_arguments);
  } else if (!collect_arguments(state, engine, count)) {
    push_error(state, engine.facts->bad_argument);
  } else {
    const bool simulated = call_host(engine);
    if (engine.abort != Abort::none) raise_abort(state);
    if (!simulated) engine.host->not_simulated(fmt::format("{}", engine.arguments[0]), place_of(state));
    push_reply(state, engine.call_reply);
    if (engine.call_reply.tokens()[0].kind != ReplyBuffer::Kind::error) return 1;
  }
  return raises ? lua_error(state) : 1;
}

int redis_call(lua_State* state) { return call_command(state, true); }
int redis_pcall(lua_State* state) { return call_command(state, false); }

}  // namespace

void open_calls(lua_State* state) {
  lua_pushcfunction(state, redis_call);
  lua_setfield(state, -2, "call");
  lua_pushcfunction(state, redis_pcall);
  lua_setfield(state, -2, "pcall");
}

}  // namespace cohsim::lua
