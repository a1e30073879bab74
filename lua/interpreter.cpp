#include "lua/interpreter.h"

#include <array>

#include "lua/function_library.h"
#include "lua/script_state.h"

namespace cohsim::lua {

/// A state for the scripts of each dialect and one for its libraries, made when they are first needed.
class Interpreter::Impl {
 public:
  const std::shared_ptr<ScriptState>& of(Dialect dialect, bool libraries = false) {
    std::shared_ptr<ScriptState>& state = states_[2 * static_cast<std::size_t>(dialect) + (libraries ? 1 : 0)];
    if (!state) state = std::make_shared<ScriptState>(dialect, libraries);
    return state;
  }

 private:
  std::array<std::shared_ptr<ScriptState>, 2 * dialect_count> states_;
};

Interpreter::Interpreter() : impl_(std::make_unique<Impl>()) {}
Interpreter::~Interpreter() = default;

std::variant<Compiled, CompileError> Interpreter::compile(std::string_view text, const std::string& sha1,
                                                          Dialect dialect) {
  return impl_->of(dialect)->compile(text, sha1);
}
std::variant<std::monostate, SyntaxError> Interpreter::check(std::string_view text) {
  return impl_->of(Dialect::valkey8)->check(text);
}
std::uint64_t Interpreter::generation(Dialect dialect) const { return impl_->of(dialect)->generation(); }
void Interpreter::run(const ScriptCall& call, ReplyBuffer& reply, ScriptEnd& end) {
  impl_->of(call.dialect, call.function.of_library)->run(call, reply, end);
}

std::variant<std::shared_ptr<FunctionLibrary>, CompileError> Interpreter::load(const LibraryLoad& library) {
  const std::shared_ptr<ScriptState>& state = impl_->of(library.dialect, true);
  auto loaded = state->load(library);
  if (auto* const error = std::get_if<CompileError>(&loaded)) return std::move(*error);
  return std::make_shared<FunctionLibrary>(state, std::move(std::get<std::vector<LibraryFunction>>(loaded)));
}

}  // namespace cohsim::lua
