#include "lua/interpreter.h"

#include <array>
#include <optional>

#include "lua/script_state.h"

namespace cohsim::lua {

/// A state for each dialect, made when it is first needed.
class Interpreter::Impl {
 public:
  ScriptState& of(Dialect dialect) {
    std::optional<ScriptState>& state = states_[static_cast<std::size_t>(dialect)];
    if (!state) state.emplace(dialect);
    return *state;
  }

 private:
  std::array<std::optional<ScriptState>, dialect_count> states_;
};

Interpreter::Interpreter() : impl_(std::make_unique<Impl>()) {}
Interpreter::~Interpreter() = default;

std::variant<Compiled, CompileError> Interpreter::compile(std::string_view text, const std::string& sha1,
                                                          Dialect dialect) {
  return impl_->of(dialect).compile(text, sha1);
}
std::variant<std::monostate, SyntaxError> Interpreter::check(std::string_view text) {
  return impl_->of(Dialect::valkey8).check(text);
}
std::uint64_t Interpreter::generation(Dialect dialect) const { return impl_->of(dialect).generation(); }
void Interpreter::run(const ScriptCall& call, ReplyBuffer& reply, ScriptEnd& end) {
  impl_->of(call.dialect).run(call, reply, end);
}

}  // namespace cohsim::lua
