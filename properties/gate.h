// The gate: scenarios × seeds → verdicts. Runs happen in worker processes; results are added up in (scenario, seed)
// order, so they depend neither on the number of workers nor on timing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "properties/canary.h"
#include "properties/gate_result.h"
#include "properties/outcome.h"

namespace cohsim {

/// How far the gate has come. For a progress line, never for a result.
struct Progress {
  std::uint64_t runs_done = 0;
  std::uint64_t runs_wanted = 0;
  std::uint64_t unexpected = 0;  ///< runs that did not agree with what their scenario expects
  std::int64_t elapsed_ms = 0;
};

struct GateOptions {
  GateSettings settings;
  unsigned jobs = 1;                 ///< worker processes, at least 1
  std::function<std::int64_t()> real_ms;  ///< a monotonic clock, for budget and progress; without one there are none
  std::int64_t budget_ms = 0;        ///< real time; 0: none. With one, scenarios take turns: each gets some seeds
  bool fail_fast = false;            ///< nothing behind the first failure in (scenario, seed) order counts
  std::string today;                 ///< ISO date, for quarantine
  std::optional<Canary> canary;      ///< runs first, and not through the budget
  std::vector<std::string> properties;                         ///< every known name, to list those never exercised
  std::function<std::string(const Scenario&)> why_skipped;     ///< why one cannot run here; empty answer: it can
  std::function<void(const Progress&)> progress;               ///< at most ten times a second, by `real_ms`
};

/// Blocks until done, out of budget, or SIGINT/SIGTERM/SIGHUP came (which are caught meanwhile). Throws InternalError
/// only when no worker can be had at all.
[[nodiscard]] GateResult run_gate(const std::vector<Scenario>& scenarios, const RunFunction& run,
                                  const GateOptions& options);

}  // namespace cohsim
