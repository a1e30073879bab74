#include "lua/host.h"

#include <cstdlib>
#include <lua5.1/lua.hpp>
#include <optional>
#include <utility>

#include "lua/host_state.h"

namespace cohsim::lua {

namespace {

constexpr int hook_period = 1'000;
constexpr std::uint64_t bytes_per_instruction = 50;   // of allocation, before a call counts as endless

void stop_now(Host::Impl& host, Stop why) {
  if (host.stop != Stop::none) return;
  host.stop = why;
  host.error_line = host.state == nullptr ? 0 : line_of_caller(host.state, 0);
}

void* allocate(void* user_data, void* block, std::size_t old_bytes, std::size_t new_bytes) {
  auto& host = *static_cast<Host::Impl*>(user_data);
  if (new_bytes == 0) {
    host.used_bytes -= old_bytes;
    std::free(block);
    return nullptr;
  }
  if (new_bytes > old_bytes && host.running) {
    const std::size_t more = new_bytes - old_bytes;
    host.allocated_bytes += more;
    if (host.used_bytes + more > host.limits.memory_bytes || new_bytes > host.limits.block_bytes) {
      stop_now(host, Stop::memory);
      return nullptr;
    }
    if (host.allocated_bytes > host.limits.instructions * bytes_per_instruction) {
      stop_now(host, Stop::instructions);
      return nullptr;
    }
  }
  void* const moved = std::realloc(block, new_bytes);
  if (moved != nullptr) host.used_bytes += new_bytes - old_bytes;
  return moved;
}

void on_count(lua_State* state, lua_Debug*) { charge(state, hook_period); }

int remember_line(lua_State* state) {
  Host::Impl& host = host_of(state);
  if (host.stop == Stop::none) host.error_line = line_of_caller(state, 1);
  return 1;
}

std::string printable(std::string_view bytes) {
  std::string text = quoted(bytes, 300);
  return text.substr(1, text.size() - 2);
}

[[noreturn]] void throw_file_error(Host::Impl& host, FileError::Reason reason, std::string_view text) {
  int line = host.error_line;
  if (text.substr(0, host.chunk.size()) == host.chunk && text.substr(host.chunk.size(), 1) == ":") {
    const std::string_view rest = text.substr(host.chunk.size() + 1);
    const std::size_t digits = rest.find_first_not_of("0123456789");
    if (digits != 0 && digits != std::string_view::npos && digits < 9 && rest.substr(digits, 2) == ": ") {
      line = std::atoi(std::string(rest.substr(0, digits)).c_str());
      text = rest.substr(digits + 2);
    }
  }
  std::string plain;
  for (const char c : text) plain += c == '\n' ? ' ' : c;
  // The quotes that `quoted` escapes are wanted as they are here.
  std::string shown = printable(plain);
  for (std::size_t at = 0; (at = shown.find("\\\"", at)) != std::string::npos; ++at) shown.erase(at, 1);
  throw FileError(reason, line, shown);
}

/// Throws for a status other than 0; the error value is on top of the stack.
void judge(Host::Impl& host, int status) {
  if (host.stop == Stop::exception) std::rethrow_exception(host.exception);
  if (host.stop == Stop::instructions) {
    throw FileError(FileError::Reason::instructions, host.error_line,
                    "did not end within " + std::to_string(host.limits.instructions) + " instructions");
  }
  if (host.stop == Stop::memory || status == LUA_ERRMEM) {
    throw FileError(FileError::Reason::memory, host.error_line,
                    "needs more than " + std::to_string(host.limits.memory_bytes >> 20U) + " MiB of memory, or " +
                        std::to_string(host.limits.block_bytes >> 20U) + " MiB for one value");
  }
  if (status == 0) return;
  const auto reason = status == LUA_ERRSYNTAX ? FileError::Reason::syntax : FileError::Reason::raised;
  std::size_t size = 0;
  const char* text = lua_tolstring(host.state, -1, &size);
  if (text == nullptr) {
    throw FileError(reason, host.error_line, std::string("raised a ") + luaL_typename(host.state, -1) + " as an error");
  }
  throw_file_error(host, reason, {text, size});
}

/// Runs `body` where Lua errors cannot end the process; what it throws leaves as it is.
template <class Body>
void guarded(Host::Impl& host, Body&& body) {
  struct Frame {
    Body& body;
    std::exception_ptr error;
  } frame{body, nullptr};
  const auto entry = [](lua_State* state) {
    auto& inner = *static_cast<Frame*>(lua_touserdata(state, 1));
    try {
      inner.body();
    } catch (const std::exception&) {  // Lua's own exceptions are no std::exception and pass
      inner.error = std::current_exception();
    }
    return 0;
  };
  const bool outermost = !host.running;
  const std::uint64_t instructions = std::exchange(host.instructions, 0);
  const std::uint64_t allocated_bytes = std::exchange(host.allocated_bytes, 0);
  if (outermost) {
    host.running = true;
    host.stop = Stop::none;
    host.exception = nullptr;
    host.error_line = 0;
  }
  const int top = lua_gettop(host.state);
  const int status = lua_cpcall(host.state, entry, &frame);
  if (outermost) host.running = false;
  host.instructions = instructions;
  host.allocated_bytes = allocated_bytes;
  std::exception_ptr thrown = frame.error;
  try {
    if (!thrown) judge(host, status);
  } catch (...) {
    thrown = std::current_exception();
  }
  lua_settop(host.state, top);
  if (thrown) std::rethrow_exception(thrown);
}

int trampoline(lua_State* state) {
  Host::Impl& host = host_of(state);
  auto& registered = *static_cast<Host::Impl::Registered*>(lua_touserdata(state, lua_upvalueindex(1)));
  Value result;
  std::optional<std::string> failure;
  try {
    std::vector<Value> arguments;
    const int count = lua_gettop(state);
    for (int i = 1; i <= count; ++i) arguments.push_back(to_value(state, i));
    host.callback_line = line_of_caller(state, 1);
    try {
      result = registered.callback(arguments);
    } catch (const CallbackError&) {
      throw;
    } catch (...) {  // no Lua exception can come here: callbacks reach Lua through `guarded` only
      host.exception = std::current_exception();
      stop_now(host, Stop::exception);
    }
  } catch (const CallbackError& error) {
    failure = registered.name.empty() ? error.what() : registered.name + ": " + error.what();
  }
  if (host.stop != Stop::none) raise_stop(state);
  if (failure) {
    const int line = line_of_caller(state, 1);
    if (line > 0) *failure = host.chunk + ":" + std::to_string(line) + ": " + *failure;
    lua_pushlstring(state, failure->data(), failure->size());
    failure.reset();
    lua_error(state);
  }
  push_value(state, result);
  return 1;
}

}  // namespace

Host::Impl& host_of(lua_State* state) {
  void* user_data = nullptr;
  lua_getallocf(state, &user_data);
  return *static_cast<Host::Impl*>(user_data);
}

void raise_stop(lua_State* state) {
  lua_pushliteral(state, "the file is being stopped");
  lua_error(state);
  std::abort();  // lua_error does not return
}

void charge(lua_State* state, std::uint64_t instructions) {
  Host::Impl& host = host_of(state);
  host.instructions += instructions;
  if (host.instructions > host.limits.instructions && host.running) stop_now(host, Stop::instructions);
  if (host.stop != Stop::none) raise_stop(state);
}

int line_of_caller(lua_State* state, int level) {
  lua_Debug record{};
  for (; lua_getstack(state, level, &record) != 0; ++level) {
    if (lua_getinfo(state, "l", &record) != 0 && record.currentline > 0) return record.currentline;
  }
  return 0;
}

Host::Host(const Limits& limits) : impl_(std::make_unique<Impl>(limits)) {
  lua_State* const state = lua_newstate(allocate, impl_.get());
  if (state == nullptr) throw std::bad_alloc();
  impl_->state = state;
  const auto open = [](lua_State* inner) {
    open_data_library(inner);
    return 0;
  };
  if (lua_cpcall(state, open, nullptr) != 0) {
    lua_close(state);
    throw std::runtime_error("the sandbox of data files cannot be built");
  }
  lua_sethook(state, on_count, LUA_MASKCOUNT, hook_period);
}

Host::~Host() { lua_close(impl_->state); }

Value Host::function(std::string name, Callback callback) {
  Impl& host = *impl_;
  host.callbacks.push_back({std::move(name), std::move(callback)});
  Value made;
  guarded(host, [&] {
    lua_pushlightuserdata(host.state, &host.callbacks.back());
    lua_pushcclosure(host.state, trampoline, 1);
    made = to_value(host.state, -1);
  });
  return made;
}

void Host::set_global(std::string_view name, const Value& value) {
  guarded(*impl_, [&] {
    lua_pushlstring(impl_->state, name.data(), name.size());
    push_value(impl_->state, value);
    lua_rawset(impl_->state, LUA_GLOBALSINDEX);
  });
}

Value Host::load(std::string_view text, std::string_view name) {
  Impl& host = *impl_;
  host.chunk = printable(name.substr(0, 40));
  if (!text.empty() && text.front() == LUA_SIGNATURE[0]) {
    throw FileError(FileError::Reason::syntax, 1, "is compiled Lua, not text");
  }
  Value result;
  guarded(host, [&] {
    lua_pushcfunction(host.state, remember_line);
    const std::string shown = "=" + host.chunk;
    int status = luaL_loadbuffer(host.state, text.data(), text.size(), shown.c_str());
    if (status == 0) status = lua_pcall(host.state, 0, 1, -2);
    judge(host, status);
    try {
      result = to_value(host.state, -1);
    } catch (const CallbackError& error) {
      throw FileError(FileError::Reason::raised, 0, std::string("what the file returns: ") + error.what());
    }
  });
  return result;
}

std::vector<Value> Host::call(FunctionRef function, std::span<const Value> arguments) {
  Impl& host = *impl_;
  std::vector<Value> results;
  guarded(host, [&] {
    lua_pushcfunction(host.state, remember_line);
    const int handler = lua_gettop(host.state);
    luaL_checkstack(host.state, static_cast<int>(arguments.size()) + 4, "arguments");
    lua_rawgeti(host.state, LUA_REGISTRYINDEX, function.ref);
    for (const Value& argument : arguments) push_value(host.state, argument);
    judge(host, lua_pcall(host.state, static_cast<int>(arguments.size()), LUA_MULTRET, handler));
    try {
      for (int i = handler + 1; i <= lua_gettop(host.state); ++i) results.push_back(to_value(host.state, i));
    } catch (const CallbackError& error) {
      throw FileError(FileError::Reason::raised, 0, std::string("a returned value: ") + error.what());
    }
  });
  return results;
}

int Host::caller_line() const { return impl_->callback_line; }

}  // namespace cohsim::lua
