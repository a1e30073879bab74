// Internal to lua/: the state that the C functions of the sandbox share. No other folder includes this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "lua/dialect_facts.h"
#include "lua/function_library.h"
#include "lua/interpreter.h"
#include "lua/reply_buffer.h"

struct lua_State;
struct lua_Debug;

namespace cohsim::lua {

/// Why a script is being stopped for good. While set, every function that could catch an error raises again.
enum class Abort : std::uint8_t { none, endless, killed, memory, work, exception };

struct Engine {
  // Memory: the allocator's user data is the Engine itself.
  std::size_t used_bytes = 0;
  std::size_t limit_bytes = 0;   ///< 0 = not enforced
  std::uint64_t work_bytes = 0;  ///< all bytes allocated during the call; bounds what C functions may do

  double pattern_steps = 0;      ///< what the pattern searches of the call could have taken at worst

  lua_State* state = nullptr;
  bool for_libraries = false;           ///< the state of function libraries, not that of scripts
  std::vector<LibraryFunction>* loading = nullptr;  ///< where redis.register_function adds; null: not now
  const DialectFacts* facts = nullptr;  ///< never null
  int resp = 2;                         ///< what the script asked for with setresp
  ScriptHost* host = nullptr;
  Random48* random = nullptr;
  JsonSettings* json = nullptr;   ///< never null while a script runs
  JsonSettings own_json;          ///< for calls that bring none
  std::uint64_t instructions = 0;
  std::uint64_t instruction_limit = 0;
  std::uint64_t slow_after = 0;
  Abort abort = Abort::none;
  std::string endless_at;
  std::exception_ptr exception;

  // Where the error that left the script was raised; line 0 = unknown.
  std::string error_source;
  int error_line = 0;

  std::uint64_t identities = 0;  ///< tables and functions turned into text in this call
  std::vector<std::string_view> arguments;
  ReplyBuffer call_reply;
};

inline constexpr std::uint64_t work_limit_bytes = std::uint64_t{4} << 30U;
inline constexpr double pattern_steps_limit = 1e9;
inline constexpr int hook_period = 10'000;
inline constexpr int coroutine_hook_period = 100;

// bounded_allocator.cpp
void* bounded_allocate(void* engine, void* block, std::size_t old_bytes, std::size_t new_bytes);

// engine.cpp
[[nodiscard]] Engine& engine_of(lua_State* state);
/// Raises the error that stops the script; only while `abort` is set.
[[noreturn]] void raise_abort(lua_State* state);
void count_hook(lua_State* state, lua_Debug* record);
/// "user_script:3": the innermost Lua function that runs, seen from a C function.
[[nodiscard]] std::string place_of(lua_State* state);
/// Remembers that `what` is not simulated and raises "ERR <what> is not simulated".
[[noreturn]] void raise_not_simulated(lua_State* state, std::string_view what);
/// Pushes {err = "CODE text"} by the rules of luaPushErrorBuff: a leading '-' says that the text brings its code.
void push_error(lua_State* state, std::string_view text);
/// Raises {err = "ERR text"}, as the redis library does.
[[noreturn]] void raise_error(lua_State* state, std::string_view text);

// errors.cpp
int error_handler(lua_State* state);
/// The text of the error reply for the error value on top of the stack.
[[nodiscard]] std::string error_text(lua_State* state, const Engine& engine, std::string_view sha1);
[[nodiscard]] std::string one_line(std::string_view text);

// conversion.cpp
/// Writes the value on top of the stack as a reply; pops it. Booleans become RESP3's where the script asked for it.
void write_reply(lua_State* state, ReplyBuffer& reply);
/// Pushes a command's reply as a Lua value, in the shape that the script asked for.
void push_reply(lua_State* state, const ReplyBuffer& reply);

// sandbox.cpp
/// Replaces the stack slot by the table behind it, where it is one of the read-only ones.
void resolve_backing(lua_State* state, int index);
[[nodiscard]] bool is_readonly(lua_State* state, int index);
/// Raises "Attempt to modify a readonly table", with the position of a Lua caller where `with_position`.
[[noreturn]] void raise_readonly(lua_State* state, bool with_position);
/// Pops a table and pushes a read-only view of it. `visible` is the slot of what getmetatable shows, or 0 for nil.
void push_readonly(lua_State* state, int visible);
/// Opens the libraries, builds the sandbox, and leaves the table of the globals' values on the stack.
void push_sandbox(lua_State* state);
/// Makes a table of the registry the one that scripts read their globals from: "cohsim.globals", or
/// "cohsim.load_globals" while a library is loaded.
void show_globals(lua_State* state, const char* name);

// The libraries. Each sets its functions in the table on top of the stack.
void open_base(lua_State* state);                                   // base_library.cpp
void open_readonly(lua_State* state);                               // readonly_library.cpp
void open_coroutine(lua_State* state);                              // coroutine_library.cpp
void open_string(lua_State* state);                                 // text_library.cpp
void open_table(lua_State* state);                                  // readonly_library.cpp
void open_math(lua_State* state);                                   // math_library.cpp
void open_redis(lua_State* state);                                  // redis_library.cpp
void open_log(lua_State* state);                                    // redis_library.cpp: log, and the versions
void open_registration(lua_State* state);                           // register_function.cpp
void open_calls(lua_State* state);                                  // call.cpp
void open_cjson(lua_State* state);                                  // cjson_library.cpp
void open_cmsgpack(lua_State* state);                               // cmsgpack_library.cpp
void open_cmsgpack_unpack(lua_State* state);                        // cmsgpack_unpack.cpp
void open_struct(lua_State* state);                                 // struct_library.cpp
void open_bit(lua_State* state);                                    // bit_library.cpp

}  // namespace cohsim::lua
