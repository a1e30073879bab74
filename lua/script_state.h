// Internal to lua/: one Lua state with the server's sandbox, for the scripts of one dialect.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "lua/engine.h"

namespace cohsim::lua {

/// See Interpreter, which hands everything on to one of these.
class ScriptState {
 public:
  /// `libraries`: for the functions of libraries, not for scripts.
  ScriptState(Dialect dialect, bool libraries);
  ~ScriptState();
  ScriptState(const ScriptState&) = delete;
  ScriptState& operator=(const ScriptState&) = delete;

  std::variant<Compiled, CompileError> compile(std::string_view text, const std::string& sha1);
  std::variant<std::monostate, SyntaxError> check(std::string_view text);
  void run(const ScriptCall& call, ReplyBuffer& reply, ScriptEnd& end);
  std::variant<std::vector<LibraryFunction>, CompileError> load(const LibraryLoad& library);
  void release(const std::vector<LibraryFunction>& functions);
  [[nodiscard]] std::uint64_t generation() const { return generation_; }

 private:
  // What stays on the stack between calls.
  static constexpr int globals_slot = 1;  ///< the values of the globals
  static constexpr int keys_slot = 2;     ///< "KEYS"
  static constexpr int arguments_slot = 3;
  static constexpr int handler_slot = 4;
  static constexpr int top_slot = 4;

  /// Sets host and limits, and clears what the call before left.
  void prepare(const ScriptCall& call);
  /// Pushes the function with its arguments, and answers how many these are.
  int push_function(const ScriptCall& call);
  /// Compiles text onto the stack; bytecode is refused as the server refuses it.
  int load_text(std::string_view text);
  void finish(const ScriptCall& call, int status, ReplyBuffer& reply, ScriptEnd& end);
  void write_abort(const ScriptCall& call, ReplyBuffer& reply, ScriptEnd& end);
  void reset_identities();
  void forget_functions();

  Engine engine_;
  lua_State* state_;
  std::size_t settled_bytes_ = 0;
  std::uint64_t generation_ = 1;
  std::map<std::string, Compiled> functions_;
};

}  // namespace cohsim::lua
