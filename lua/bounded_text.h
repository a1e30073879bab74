// Internal to lua/: text that a library builds outside of Lua's memory, under the limits of the running script.
#pragma once

#include <string>
#include <string_view>

#include "lua/engine.h"

namespace cohsim::lua {

/// Counts bytes that a C function goes through as work of the script, which no instruction count sees.
void charge_work(lua_State* state, std::size_t bytes);
/// What going through a table, or compiling text, is charged for each item or byte: as long as so many bytes copied take.
inline constexpr std::size_t step_bytes = 64;

/// Grows up to the memory that a script may have; beyond, the script is stopped.
class BoundedText {
 public:
  explicit BoundedText(lua_State* state) : state_(state) {}
  void append(std::string_view bytes) {
    if (bytes.size() > limit_bytes - text_.size()) overflow();
    text_.append(bytes);
  }
  void append(std::size_t count, char byte) {
    if (count > limit_bytes - text_.size()) overflow();
    text_.append(count, byte);
  }
  void append(char byte) { append(std::string_view(&byte, 1)); }
  void clear() { text_.clear(); }
  [[nodiscard]] std::string_view view() const { return text_; }
  /// Pushes the text as a Lua string.
  void push() const;

 private:
  static constexpr std::size_t limit_bytes = Interpreter::memory_limit_bytes;
  [[noreturn]] void overflow() const;
  lua_State* state_;
  std::string text_;
};

}  // namespace cohsim::lua
