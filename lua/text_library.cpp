// string.* under bounds: what a C function does, no instruction count sees.
#include <lua5.1/lua.hpp>
#include <string_view>

#include "lua/engine.h"

namespace cohsim::lua {

namespace {

/// The matcher recurses once per item of a pattern; a longer one could exhaust the C stack.
constexpr std::size_t pattern_bytes_max = 16'384;

int call_original(lua_State* state) { return lua_tocfunction(state, lua_upvalueindex(1))(state); }

/// What matching could cost at worst, in steps: every repetition may try every length, from every start.
double worst_case(std::string_view pattern, std::size_t bytes) {
  const double length = static_cast<double>(bytes) + 1;
  double steps = pattern.substr(0, 1) == "^" ? 1 : length;
  for (std::size_t place = 0; place < pattern.size(); ++place) {
    if (pattern[place] == '%') {
      ++place;
    } else if (pattern[place] == '*' || pattern[place] == '+' || pattern[place] == '-') {
      steps *= length;
    } else if (pattern[place] == '?') {
      steps *= 2;
    }
  }
  return steps;
}

/// Counts the bytes searched as work done, since a search allocates nothing that would be counted.
void count_search(lua_State* state) {
  Engine& engine = engine_of(state);
  engine.work_bytes += lua_objlen(state, 1);
  if (engine.work_bytes <= work_limit_bytes) return;
  if (engine.abort == Abort::none) engine.abort = Abort::work;
  raise_abort(state);
}

lua_CFunction find_function = nullptr;  // liblua's own string.find, the same in every state

int with_pattern(lua_State* state) {
  if (lua_isstring(state, 1) != 0) count_search(state);
  if (lua_isstring(state, 2) != 0 && lua_objlen(state, 2) > pattern_bytes_max) {
    raise_not_simulated(state, "a pattern of more than 16384 bytes");
  }
  const bool plain = lua_tocfunction(state, lua_upvalueindex(1)) == find_function && lua_toboolean(state, 4) != 0;
  // Backtracking runs inside liblua, where no instruction is counted: what could take minutes is not begun.
  constexpr double steps_max = 1e10;
  if (!plain && lua_isstring(state, 1) != 0 && lua_isstring(state, 2) != 0) {
    std::size_t bytes = 0;
    const char* const pattern = lua_tolstring(state, 2, &bytes);
    if (worst_case({pattern, bytes}, lua_objlen(state, 1)) > steps_max) {
      raise_not_simulated(state, "a pattern whose search could take 10^10 steps");
    }
  }
  return call_original(state);
}

int text_rep(lua_State* state) {
  std::size_t bytes = 0;
  luaL_checklstring(state, 1, &bytes);
  const lua_Integer times = luaL_checkinteger(state, 2);
  if (bytes == 0 || times <= 0) {
    lua_pushliteral(state, "");
    return 1;
  }
  if (static_cast<std::size_t>(times) > Interpreter::memory_limit_bytes / bytes) {
    Engine& engine = engine_of(state);
    if (engine.abort == Abort::none) engine.abort = Abort::memory;
    raise_abort(state);
  }
  return call_original(state);
}

void wrap_original(lua_State* state, const char* name, lua_CFunction wrapper) {
  lua_getfield(state, -1, name);
  lua_pushcclosure(state, wrapper, 1);
  lua_setfield(state, -2, name);
}

}  // namespace

void open_string(lua_State* state) {
  lua_getfield(state, -1, "find");
  find_function = lua_tocfunction(state, -1);
  lua_pop(state, 1);
  for (const char* const name : {"find", "match", "gmatch", "gfind", "gsub"}) wrap_original(state, name, with_pattern);
  wrap_original(state, "rep", text_rep);
}

}  // namespace cohsim::lua
