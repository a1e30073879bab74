// string.* under bounds: what a C function does, no instruction count sees.
#include <lua5.1/lua.hpp>

#include <algorithm>

#include "lua/bounded_text.h"
#include "lua/engine.h"
#include "lua/pattern_cost.h"

namespace cohsim::lua {

namespace {

/// The matcher recurses once per item of a pattern; a longer one could exhaust the C stack.
constexpr std::size_t pattern_bytes_max = 16'384;

int call_original(lua_State* state) { return lua_tocfunction(state, lua_upvalueindex(1))(state); }

/// Charges the bytes searched, since a search allocates nothing that would be counted.
void count_search(lua_State* state, std::size_t steps_a_byte) { charge_work(state, lua_objlen(state, 1) * steps_a_byte); }

/// Counts what the search could take at worst, over the whole call of the script: backtracking runs inside liblua, where
/// no instruction is counted. What would go beyond the limit is not begun, however often it is tried.
void count_backtracking(lua_State* state) {
  if (lua_isstring(state, 1) == 0 || lua_isstring(state, 2) == 0) return;
  std::size_t bytes = 0;
  const char* const pattern = lua_tolstring(state, 2, &bytes);
  Engine& engine = engine_of(state);
  const double steps = engine.pattern_steps + worst_match_steps({pattern, bytes}, lua_objlen(state, 1));
  if (steps > pattern_steps_limit) raise_not_simulated(state, "patterns whose search could take 10^9 steps");
  engine.pattern_steps = steps;
}

int with_pattern(lua_State* state) {
  if (lua_isstring(state, 1) != 0) count_search(state, step_bytes / 8);
  if (lua_isstring(state, 2) != 0 && lua_objlen(state, 2) > pattern_bytes_max) {
    raise_not_simulated(state, "a pattern of more than 16384 bytes");
  }
  count_backtracking(state);
  return call_original(state);
}

/// string.find, whose fourth argument says that the pattern is plain text: then nothing backtracks.
int find_with_pattern(lua_State* state) {
  if (lua_toboolean(state, 4) == 0) return with_pattern(state);
  if (lua_isstring(state, 1) != 0 && lua_isstring(state, 2) != 0) {
    count_search(state, std::clamp<std::size_t>(lua_objlen(state, 2), 1, 4 * step_bytes));
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
  for (const char* const name : {"match", "gmatch", "gfind", "gsub"}) wrap_original(state, name, with_pattern);
  wrap_original(state, "find", find_with_pattern);
  wrap_original(state, "rep", text_rep);
}

}  // namespace cohsim::lua
