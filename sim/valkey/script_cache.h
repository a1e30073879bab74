// The scripts that the server knows by their SHA1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "lua/interpreter.h"
#include "sim/valkey/personality.h"

namespace cohsim::valkey {

struct CachedScript {
  std::string sha1;
  std::string text;
  lua::Compiled compiled;
  std::uint64_t used = 0;  ///< place in the order of use; 0 = loaded by SCRIPT LOAD, never dropped
};

/// Valkey 8 keeps a script that came by EVAL among the 500 most recently used ones, and SCRIPT LOAD pins; Redis 7.0 keeps
/// all.
class ScriptCache {
 public:
  static constexpr std::size_t evaluated_max = 500;

  ScriptCache(lua::Interpreter& interpreter, const Personality& personality)
      : interpreter_(&interpreter), dialect_(personality.dialect), bounded_(personality.bounds_evaluated_scripts) {}

  /// The script with this SHA1, any case of letters, ready to run; null where unknown. Valid until the next change.
  const CachedScript* find(std::string_view sha1);
  /// Compiles and stores the text (EVAL, or SCRIPT LOAD where `pinned`).
  std::variant<const CachedScript*, lua::CompileError> add(std::string_view text, bool pinned);
  /// Its text, without counting as a use; null where unknown.
  [[nodiscard]] const std::string* text(std::string_view sha1) const;
  [[nodiscard]] bool knows(std::string_view sha1) const;
  void clear();

  /// Between the two, changes are taken back at the end.
  void begin_rehearsal() { rehearsing_ = true; }
  void roll_back();

 private:
  struct State {
    std::map<std::string, CachedScript, std::less<>> scripts;
    std::map<std::uint64_t, std::string> by_use;  ///< only those that came by EVAL
    std::uint64_t uses = 0;
  };

  void before_change();
  void touch(CachedScript& script);
  void refresh(CachedScript& script);
  void drop_oldest();

  lua::Interpreter* interpreter_;
  lua::Dialect dialect_;
  bool bounded_;
  State state_;
  const CachedScript* last_ = nullptr;  ///< the last one found, where it is pinned: no order of use to keep
  bool rehearsing_ = false;
  std::optional<State> saved_;
};

}  // namespace cohsim::valkey
