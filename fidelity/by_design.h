// Where the fake and a real server may differ, and why: the only place that knows.
#pragma once

#include <span>
#include <string_view>

#include "fidelity/comparison.h"
#include "fidelity/sequences.h"

namespace cohsim::fidelity {

struct Difference {
  std::string_view command;
  Comparison comparison = Comparison::exact;
  std::string_view reason;
};

[[nodiscard]] std::span<const Difference> by_design();
/// How the reply to a command is compared.
[[nodiscard]] How how_of(const Sent& sent);

}  // namespace cohsim::fidelity
