#include "lua/engine.h"

#include <fmt/format.h>

#include <cstdlib>
#include <lua5.1/lua.hpp>

namespace cohsim::lua {

Engine& engine_of(lua_State* state) {
  void* engine = nullptr;
  lua_getallocf(state, &engine);
  return *static_cast<Engine*>(engine);
}

void raise_abort(lua_State* state) {
  lua_pushnil(state);  // not even a string: memory may be at its end
  lua_error(state);
  std::abort();  // lua_error does not return
}

namespace {

/// False after setting `abort`. No exception leaves: Lua's pcall would swallow it.
bool host_lets_go_on(Engine& engine) noexcept {
  try {
    if (engine.host->goes_on(engine.instructions, engine.endless_at)) return true;
    engine.abort = Abort::killed;
  } catch (...) {
    engine.exception = std::current_exception();
    engine.abort = Abort::exception;
  }
  return false;
}

}  // namespace

void count_hook(lua_State* state, lua_Debug* record) {
  Engine& engine = engine_of(state);
  engine.instructions += static_cast<std::uint64_t>(lua_gethookcount(state));
  if (engine.abort == Abort::none) {
    const bool endless = engine.instructions >= engine.instruction_limit;
    const bool slow = engine.slow_after != 0 && engine.instructions >= engine.slow_after;
    if (!endless && !slow) return;
    lua_getinfo(state, "Sl", record);
    engine.endless_at = fmt::format("{}:{}", record->short_src, record->currentline);
    if (endless) {
      engine.abort = Abort::endless;
    } else if (host_lets_go_on(engine)) {
      return;
    }
  }
  raise_abort(state);
}

std::string place_of(lua_State* state) {
  lua_Debug record{};
  for (int level = 0; lua_getstack(state, level, &record) != 0; ++level) {
    lua_getinfo(state, "Sl", &record);
    if (record.currentline > 0) return fmt::format("{}:{}", record.short_src, record.currentline);
  }
  return "user_script";
}

void raise_not_simulated(lua_State* state, std::string_view what) {
  {
    Engine& engine = engine_of(state);
    if (engine.host != nullptr) engine.host->not_simulated(what, place_of(state));
  }
  raise_error(state, fmt::format("{} is not simulated", what));
}

void push_error(lua_State* state, std::string_view text) {
  std::string_view code = "ERR";
  if (!text.empty() && text.front() == '-') {
    text.remove_prefix(1);
    const std::size_t space = text.find(' ');
    if (space != std::string_view::npos) {
      code = text.substr(0, space);
      text.remove_prefix(space + 1);
    }
  }
  constexpr std::string_view line_ends = "\r\n";
  while (!text.empty() && line_ends.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  while (!text.empty() && line_ends.find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  lua_createtable(state, 0, 1);
  const std::string whole = fmt::format("{} {}", code, text);
  lua_pushlstring(state, whole.data(), whole.size());
  lua_setfield(state, -2, "err");
}

void raise_error(lua_State* state, std::string_view text) {
  push_error(state, text);
  lua_error(state);
  std::abort();  // lua_error does not return
}

}  // namespace cohsim::lua
