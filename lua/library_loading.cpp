// Loading of function libraries: runs the code once, and keeps the functions that it registers.
#include <fmt/format.h>

#include <lua5.1/lua.hpp>
#include <stdexcept>

#include "lua/script_state.h"

namespace cohsim::lua {

namespace {

/// Shows the code a loader's globals and takes its registrations, until it is gone.
class Loading {
 public:
  explicit Loading(Engine& engine) : engine_(engine) {
    engine_.loading = &functions;
    show_globals(engine_.state, "cohsim.load_globals");
  }
  ~Loading() {
    engine_.loading = nullptr;
    engine_.host = nullptr;
    show_globals(engine_.state, "cohsim.globals");
  }
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;

  std::vector<LibraryFunction> functions;

 private:
  Engine& engine_;
};

}  // namespace

std::variant<std::vector<LibraryFunction>, CompileError> ScriptState::load(const LibraryLoad& library) {
  if (engine_.host != nullptr) throw std::logic_error("a script is already running in this interpreter");
  ScriptCall limits;
  limits.host = library.host;
  limits.random = library.random;
  limits.json = library.json;
  limits.instruction_limit = library.instruction_limit;
  prepare(limits);
  if (load_text(library.body) != 0) {
    engine_.host = nullptr;
    engine_.limit_bytes = 0;
    return CompileError{one_line(fmt::format("ERR Error compiling function: {}", lua_tostring(state_, -1)))};
  }
  Loading loading(engine_);
  int status = 0;
  {
    const Collation::Guard guard(*library.collation);
    status = lua_pcall(state_, 0, 0, handler_slot);
  }
  engine_.limit_bytes = 0;
  std::string refused;
  if (engine_.abort == Abort::endless) {
    refused = "ERR FUNCTION LOAD timeout";
  } else if (engine_.abort == Abort::memory || engine_.abort == Abort::work) {
    library.host->not_simulated("a library that needs more than 64 MiB or works through more than 4 GiB",
                                "FUNCTION LOAD");
    refused = "ERR not enough memory";
  } else if (status != 0) {
    engine_.error_line = 0;  // no suffix with the place
    refused = error_text(state_, engine_, "");
  }
  if (refused.empty() && !loading.functions.empty()) return std::move(loading.functions);
  release(loading.functions);
  if (refused.empty()) return CompileError{"ERR No functions registered"};
  return CompileError{fmt::format("ERR Error registering functions: {}", refused)};
}

void ScriptState::release(const std::vector<LibraryFunction>& functions) {
  for (const LibraryFunction& function : functions) luaL_unref(state_, LUA_REGISTRYINDEX, function.function.reference);
}

}  // namespace cohsim::lua
