// Where scripts come from: a `.lua` file, or one of the bundled ones.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "lua/interpreter.h"

namespace cohsim::lua {

/// A script that compiles.
struct ScriptSource {
  std::string name;  ///< the file's name without `.lua`: "coherence_drop"
  std::string path;  ///< as given; "" for the bundled script
  std::string text;  ///< the bytes that EVAL would get
  std::string sha1;
};

/// Why a file is no script: `text()` is one line, `FILE:3: unexpected symbol near '='` or `FILE: …`.
struct LoadError {
  std::string path;
  int line = 0;  ///< counted from 1; 0 where the fault has none
  std::string message;
  [[nodiscard]] std::string text() const;
};

/// A larger file is refused.
inline constexpr std::size_t script_bytes_max = std::size_t{1} << 20U;

/// Loads a script for `--script FILE`. The text is the file's bytes exactly. Elixir source is not supported yet.
[[nodiscard]] std::variant<ScriptSource, LoadError> load_script(const std::string& path, Interpreter& interpreter);

/// scripts/NAME.lua as it stood at build time; needs no source tree. Null where there is none of that name.
[[nodiscard]] const ScriptSource* bundled_script(std::string_view name);
[[nodiscard]] inline const ScriptSource& bundled_coherence_drop() { return *bundled_script("coherence_drop"); }

/// The bundled bytes, in name order; defined in a file that CMake generates.
struct BundledText {
  std::string_view name;
  std::string_view text;
};
[[nodiscard]] std::span<const BundledText> bundled_texts();

}  // namespace cohsim::lua
