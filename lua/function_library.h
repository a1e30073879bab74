// Libraries of functions as FUNCTION LOAD takes them: `#!lua name=…`, then Lua that calls redis.register_function.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lua/interpreter.h"

namespace cohsim::lua {

class ScriptState;

/// What the first line of a library says.
struct LibraryHead {
  std::string engine;  ///< as written; a server compares it without regard to case, and knows "lua"
  std::string name;
  std::string_view body;  ///< the code behind the first line, the newline included; part of the text
};

/// Reads the first line, or answers the error reply.
[[nodiscard]] std::variant<LibraryHead, CompileError> read_library_head(std::string_view text);

/// True for names of libraries and functions: letters, digits and underscores, at least one.
[[nodiscard]] bool is_library_name(std::string_view name);

struct LibraryFunction {
  std::string name;
  std::optional<std::string> description;
  ScriptFlags flags;
  Function function;  ///< for ScriptCall::function; ScriptCall::sha1 is then the function's name
};

/// A library that was loaded (Interpreter::load). Its functions may be called as long as it lives. What they keep in
/// their upvalues stays from call to call, as on a real server, so that it belongs to one server alone, and no rehearsal
/// takes it back.
class FunctionLibrary {
 public:
  /// For Interpreter::load only.
  FunctionLibrary(std::shared_ptr<ScriptState> state, std::vector<LibraryFunction> functions);
  ~FunctionLibrary();
  FunctionLibrary(const FunctionLibrary&) = delete;
  FunctionLibrary& operator=(const FunctionLibrary&) = delete;

  /// In the order of registration; never empty.
  [[nodiscard]] std::span<const LibraryFunction> functions() const { return functions_; }
  /// By its exact name; null where there is none.
  [[nodiscard]] const LibraryFunction* find(std::string_view name) const;

 private:
  std::shared_ptr<ScriptState> state_;
  std::vector<LibraryFunction> functions_;
};

}  // namespace cohsim::lua
