// What the process answers. A type of its own, so that no bare number is ever returned by mistake.
#pragma once

#include <cstdint>
#include <string_view>

namespace cohsim {

enum class ExitCode : std::uint8_t {
  ok = 0,             ///< every scenario came out as it expects
  failed = 1,         ///< at least one did not
  usage = 2,          ///< bad usage, or a scenario or script that cannot be loaded
  internal = 3,       ///< the simulator is at fault: nondeterminism, a canary that passed, an internal error
  undecided = 4,      ///< budget or shard ended before something that had to be decided was
  interrupted = 130,  ///< reports are partial
};

/// The one that matters more: interrupted, internal, usage, failed, undecided, ok.
[[nodiscard]] ExitCode worse(ExitCode a, ExitCode b);
/// "0 (as expected)", "1 (not as expected)", …
[[nodiscard]] std::string_view meaning_of(ExitCode code);
[[nodiscard]] constexpr int to_int(ExitCode code) { return static_cast<int>(code); }

}  // namespace cohsim
