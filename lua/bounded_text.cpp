#include "lua/bounded_text.h"

#include <lua5.1/lua.hpp>

namespace cohsim::lua {

void charge_work(lua_State* state, std::size_t bytes) {
  Engine& engine = engine_of(state);
  engine.work_bytes += bytes;
  if (engine.work_bytes <= work_limit_bytes) return;
  if (engine.abort == Abort::none) engine.abort = Abort::work;
  raise_abort(state);
}

void BoundedText::push() const {
  charge_work(state_, text_.size());
  lua_pushlstring(state_, text_.data(), text_.size());
}

void BoundedText::overflow() const {
  Engine& engine = engine_of(state_);
  if (engine.abort == Abort::none) engine.abort = Abort::memory;
  raise_abort(state_);
}

}  // namespace cohsim::lua
