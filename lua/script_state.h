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
  explicit ScriptState(Dialect dialect);
  ~ScriptState();
  ScriptState(const ScriptState&) = delete;
  ScriptState& operator=(const ScriptState&) = delete;

  std::variant<Compiled, CompileError> compile(std::string_view text, const std::string& sha1);
  std::variant<std::monostate, SyntaxError> check(std::string_view text);
  void run(const ScriptCall& call, ReplyBuffer& reply, ScriptEnd& end);
  [[nodiscard]] std::uint64_t generation() const { return generation_; }

 private:
  void begin(const ScriptCall& call);
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
