// The commands that are generated, as data: what arguments each takes.
#pragma once

#include <span>
#include <string_view>

namespace cohsim::fidelity {

/// `arguments` are words apart by blanks. A letter in lower case is a kind of argument: k key, v value, i integer,
/// f float, m member or field, s score bound, l lexical bound, p pattern, c channel, t time to live, d database,
/// a any of them. A word in upper case stands for itself, `A|B` for one of several, `?` before a word for "perhaps", `+` for
/// once to three times. `A=i` is a word with its argument.
struct Shape {
  std::string_view name;  ///< "CONFIG GET": with its subcommand
  std::string_view arguments;
};

[[nodiscard]] std::span<const Shape> shapes();

}  // namespace cohsim::fidelity
