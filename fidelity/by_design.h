// Where the fake and a real server may differ, and why: the only place that knows.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "fidelity/sequences.h"

namespace cohsim::fidelity {

enum class Comparison : std::uint8_t {
  exact,
  unordered,  ///< the same lines in any order
  numbers,    ///< the same but for the values of numbers above 1000
  kind        ///< the same first letter
};

struct Difference {
  std::string_view command;
  Comparison comparison = Comparison::exact;
  std::string_view reason;
};

[[nodiscard]] std::span<const Difference> by_design();
/// How replies to the sequence's command are compared; `exec` looks at all commands of the sequence.
[[nodiscard]] Comparison comparison_of(const Sequence& sequence, std::size_t place);
[[nodiscard]] bool same(Comparison how, std::string_view real, std::string_view fake);

}  // namespace cohsim::fidelity
