#include "lua/script_state.h"

#include <fmt/format.h>

#include <lua5.1/lua.hpp>
#include <new>
#include <stdexcept>

#include "lua/shebang.h"

namespace cohsim::lua {

namespace {

/// So much more than after the last full collection starts the next one, between calls.
constexpr std::size_t garbage_bytes_max = std::size_t{8} << 20U;

int prepare_state(lua_State* state) {
  lua_pop(state, 1);  // lua_cpcall's argument
  push_sandbox(state);
  lua_setfield(state, LUA_REGISTRYINDEX, "cohsim.globals");
  return 0;
}

void push_items(lua_State* state, std::span<const std::string_view> items) {
  lua_createtable(state, static_cast<int>(items.size()), 0);
  int place = 0;
  for (const std::string_view item : items) {
    lua_pushlstring(state, item.data(), item.size());
    lua_rawseti(state, -2, ++place);
  }
}

/// Says that no script runs any more, however the call is left.
struct HostGuard {
  explicit HostGuard(Engine& running) : engine(running) {}
  ~HostGuard() { engine.host = nullptr; }
  HostGuard(const HostGuard&) = delete;
  HostGuard& operator=(const HostGuard&) = delete;
  Engine& engine;
};

}  // namespace

ScriptState::ScriptState(Dialect dialect, bool libraries) : state_(lua_newstate(bounded_allocate, &engine_)) {
  if (state_ == nullptr) throw std::bad_alloc();
  engine_.state = state_;
  engine_.facts = &facts_of(dialect);
  engine_.for_libraries = libraries;
  if (lua_cpcall(state_, prepare_state, nullptr) != 0) {
    throw std::runtime_error(fmt::format("the Lua sandbox cannot be built: {}", lua_tostring(state_, -1)));
  }
  lua_getfield(state_, LUA_REGISTRYINDEX, "cohsim.globals");
  lua_pushliteral(state_, "KEYS");
  lua_pushliteral(state_, "ARGV");
  lua_pushcfunction(state_, error_handler);
  reset_identities();
  lua_gc(state_, LUA_GCCOLLECT, 0);
  settled_bytes_ = engine_.used_bytes;
}

ScriptState::~ScriptState() { lua_close(state_); }

std::variant<Compiled, CompileError> ScriptState::compile(std::string_view text, const std::string& sha1) {
  const auto known = functions_.find(sha1);
  if (known != functions_.end()) return known->second;
  std::string body;
  Compiled compiled;
  compiled.has_shebang = text.substr(0, 2) == "#!";
  if (auto refused = read_shebang(text, body, compiled.flags)) return CompileError{std::move(*refused)};
  lua_settop(state_, top_slot);
  if (load_text(body) != 0) {
    CompileError error{
        one_line(fmt::format("ERR Error compiling script (new function): {}", lua_tostring(state_, -1)))};
    lua_settop(state_, top_slot);
    return error;
  }
  if (functions_.size() >= Interpreter::functions_max) forget_functions();
  compiled.function.reference = luaL_ref(state_, LUA_REGISTRYINDEX);
  compiled.function.generation = generation_;
  functions_.emplace(sha1, compiled);
  return compiled;
}

std::variant<std::monostate, SyntaxError> ScriptState::check(std::string_view text) {
  lua_settop(state_, top_slot);
  const int status = load_text(text);
  const std::string message = status == 0 ? "" : lua_tostring(state_, -1);
  lua_settop(state_, top_slot);
  if (status == 0) return std::monostate{};
  constexpr std::string_view prefix = "user_script:";
  SyntaxError error{0, message};
  if (message.rfind(prefix, 0) == 0) {
    const std::size_t colon = message.find(':', prefix.size());
    error.line = std::atoi(message.c_str() + prefix.size());
    if (colon != std::string::npos) error.message = message.substr(colon + 2);
  }
  return error;
}

void ScriptState::run(const ScriptCall& call, ReplyBuffer& reply, ScriptEnd& end) {
  if (engine_.host != nullptr) throw std::logic_error("a script is already running in this interpreter");
  prepare(call);
  const HostGuard host_guard(engine_);
  const int arguments = push_function(call);
  int status = 0;
  {
    const Collation::Guard guard(*call.collation);
    status = lua_pcall(state_, arguments, 1, handler_slot);
  }
  engine_.limit_bytes = 0;
  finish(call, status, reply, end);
  if (engine_.exception) std::rethrow_exception(std::exchange(engine_.exception, nullptr));
}

void ScriptState::prepare(const ScriptCall& call) {
  lua_settop(state_, top_slot);
  if (engine_.used_bytes > settled_bytes_ + garbage_bytes_max) {
    lua_gc(state_, LUA_GCCOLLECT, 0);
    settled_bytes_ = engine_.used_bytes;
  }
  if (engine_.identities != 0) reset_identities();
  engine_.host = call.host;
  engine_.random = call.random;
  engine_.own_json = {};
  engine_.json = call.json != nullptr ? call.json : &engine_.own_json;
  engine_.resp = 2;
  engine_.instructions = 0;
  engine_.instruction_limit = call.instruction_limit;
  engine_.slow_after = call.slow_after;
  engine_.abort = Abort::none;
  engine_.work_bytes = 0;
  engine_.pattern_steps = 0;
  engine_.error_line = 0;
  lua_sethook(state_, count_hook, LUA_MASKCOUNT, hook_period);
  engine_.limit_bytes = engine_.used_bytes + Interpreter::memory_limit_bytes;
}

int ScriptState::push_function(const ScriptCall& call) {
  engine_.limit_bytes = 0;  // outside of any protected call
  if (!engine_.for_libraries) {
    lua_pushvalue(state_, keys_slot);
    push_items(state_, call.keys);
    lua_rawset(state_, globals_slot);
    lua_pushvalue(state_, arguments_slot);
    push_items(state_, call.arguments);
    lua_rawset(state_, globals_slot);
  }
  lua_rawgeti(state_, LUA_REGISTRYINDEX, call.function.reference);
  if (engine_.for_libraries) {
    push_items(state_, call.keys);
    push_items(state_, call.arguments);
  }
  lua_sethook(state_, count_hook, LUA_MASKCOUNT, hook_period);  // which counts from here
  engine_.limit_bytes = engine_.used_bytes + Interpreter::memory_limit_bytes;
  return engine_.for_libraries ? 2 : 0;
}

int ScriptState::load_text(std::string_view text) {
  const char* const name = engine_.for_libraries ? "@user_function" : "@user_script";
  // A blank makes the lexer meet the escape character of bytecode.
  const std::size_t start = text.find_first_not_of('\n');
  if (start != std::string_view::npos && text[start] == LUA_SIGNATURE[0]) {
    std::string shifted(1, ' ');
    shifted += text;
    return luaL_loadbuffer(state_, shifted.data(), shifted.size(), name);
  }
  return luaL_loadbuffer(state_, text.data(), text.size(), name);
}

void ScriptState::finish(const ScriptCall& call, int status, ReplyBuffer& reply, ScriptEnd& end) {
  reply.clear();
  if (engine_.abort != Abort::none) {
    write_abort(call, reply, end);
  } else if (status != 0) {
    reply.error(reply.keep(error_text(state_, engine_, call.sha1)));
  } else {
    // The value stays on the stack, below the copy, so that the texts live until the next call.
    lua_pushvalue(state_, -1);
    write_reply(state_, reply);
  }
}

void ScriptState::write_abort(const ScriptCall& call, ReplyBuffer& reply, ScriptEnd& end) {
  switch (engine_.abort) {
    case Abort::endless:
      end.endless = true;
      end.endless_at = engine_.endless_at;
      reply.error(
          reply.keep(fmt::format("ERR Script stopped by the simulator after {} instructions script: {}, on @{}.",
                                 engine_.instructions, call.sha1, engine_.endless_at)));
      break;
    case Abort::memory:
    case Abort::work: {
      const std::string what = engine_.abort == Abort::memory ? "a script that needs more than 64 MiB"
                                                              : "a script that works through more than 4 GiB in all";
      call.host->not_simulated(what, fmt::format("script {}", call.sha1));
      reply.error(reply.keep(fmt::format("ERR not enough memory script: {}", call.sha1)));
      break;
    }
    case Abort::killed:
      end.killed = true;
      reply.error(reply.keep(fmt::format("ERR Script killed by user with SCRIPT KILL... script: {}, on @{}.", call.sha1,
                                         engine_.endless_at)));
      break;
    case Abort::exception:
    case Abort::none: break;
  }
}

void ScriptState::reset_identities() {
  engine_.identities = 0;
  lua_newtable(state_);
  lua_createtable(state_, 0, 1);
  lua_pushliteral(state_, "k");
  lua_setfield(state_, -2, "__mode");
  lua_setmetatable(state_, -2);
  lua_setfield(state_, LUA_REGISTRYINDEX, "cohsim.identities");
}

void ScriptState::forget_functions() {
  for (const auto& [sha1, compiled] : functions_) luaL_unref(state_, LUA_REGISTRYINDEX, compiled.function.reference);
  functions_.clear();
  ++generation_;
}

}  // namespace cohsim::lua
