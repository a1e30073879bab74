#include <cstdlib>

#include "lua/engine.h"

namespace cohsim::lua {

void* bounded_allocate(void* user_data, void* block, std::size_t old_bytes, std::size_t new_bytes) {
  Engine& engine = *static_cast<Engine*>(user_data);
  if (new_bytes == 0) {
    engine.used_bytes -= old_bytes;
    std::free(block);
    return nullptr;
  }
  if (new_bytes > old_bytes && engine.limit_bytes != 0) {
    engine.work_bytes += new_bytes - old_bytes;
    const bool too_much = engine.used_bytes + (new_bytes - old_bytes) > engine.limit_bytes;
    if (too_much || engine.work_bytes > work_limit_bytes) {
      if (engine.abort == Abort::none) engine.abort = too_much ? Abort::memory : Abort::work;
      return nullptr;
    }
  }
  void* const moved = std::realloc(block, new_bytes);
  if (moved != nullptr) engine.used_bytes += new_bytes - old_bytes;
  return moved;
}

}  // namespace cohsim::lua
