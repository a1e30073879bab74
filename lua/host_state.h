// Internal to lua/host*.cpp: what the C functions of one Host share. No other file includes this header.
#pragma once

#include <deque>
#include <exception>
#include <map>
#include <string>

#include "lua/host.h"

struct lua_State;
struct lua_Debug;

namespace cohsim::lua {

/// Why the file is being stopped for good. While set, pcall and xpcall raise again.
enum class Stop : std::uint8_t { none, instructions, memory, exception };

class Host::Impl {
 public:
  explicit Impl(const Limits& bounds) : limits(bounds) {}

  Limits limits;
  lua_State* state = nullptr;
  std::size_t used_bytes = 0;
  std::uint64_t allocated_bytes = 0;  ///< in this call, freed or not: bounds the work of library functions
  std::uint64_t instructions = 0;     ///< in this call
  bool running = false;               ///< limits hold only then
  Stop stop = Stop::none;
  std::exception_ptr exception;
  int error_line = 0;  ///< where the error that is on its way was raised
  int callback_line = 0;
  std::string chunk;             ///< name of the file inside Lua
  std::uint64_t identities = 0;  ///< tables and functions that were turned into text
  struct Registered {
    std::string name;
    Callback callback;
  };
  std::deque<Registered> callbacks;  ///< stable addresses: closures point at them
};

[[nodiscard]] Host::Impl& host_of(lua_State* state);
/// Counts work of library functions as instructions; raises when the budget is spent.
void charge(lua_State* state, std::uint64_t instructions);
[[noreturn]] void raise_stop(lua_State* state);
[[nodiscard]] int line_of_caller(lua_State* state, int level);

// host_conversion.cpp
/// May throw CallbackError: nested too deeply (a table that holds itself), too large, or a key that has no order.
Value to_value(lua_State* state, int index);
void push_value(lua_State* state, const Value& value);

// host_library.cpp
/// Sets the globals that a file may see, and nothing else.
void open_data_library(lua_State* state);

// host_text_library.cpp
/// Replaces what of the string and table libraries could take unbounded time. The library's table is on top.
void bound_string_library(lua_State* state);
void bound_table_library(lua_State* state);

}  // namespace cohsim::lua
