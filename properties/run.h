// One run: a scenario, a seed, what came out. The gate is many of these.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/defects.h"
#include "model/scenario.h"
#include "model/server_host.h"
#include "properties/oracle.h"
#include "sim/trace.h"

namespace cohsim {

/// Counts of one run; sums of them are what the summary prints. Names are stable, in name order.
using Counts = std::map<std::string, std::uint64_t>;

struct RunOptions {
  bool all_oracles = false;                      ///< also those that the scenario does not ask for
  std::vector<std::string> only;                 ///< --only: judge these properties alone; empty: all
  std::uint64_t until_step = 0;                  ///< stop after this step; 0: run to the end
  TraceSink* sink = nullptr;                     ///< gets every event
  Observer* watcher = nullptr;                   ///< sees every typed event, after the oracles have
  std::function<void(const WorldView&)> at_end;  ///< looks at the world once the run has stopped
  Defect defect = Defect::none;                  ///< planted in the model, to prove that the oracles see it
  std::uint64_t max_steps = 5'000'000;           ///< a run that does not end by then is an internal error
};

struct RunResult {
  std::uint64_t seed = 0;
  std::uint64_t hash = 0;
  std::uint64_t steps = 0;
  TimeUs virtual_us = 0;
  std::vector<Violation> violations;             ///< at most one a property, in step order
  std::map<std::string, std::uint64_t> exercised;///< by property, 0 included
  Counts branches;                               ///< absent, short, newer, kept: the four branches of the script
  Counts faults;                                 ///< by kind, every kind listed, 0 included
  Counts measures;                               ///< messages, fills, redeliveries, …
  Counts staleness;                              ///< reads, by how stale they were: ReadStaleness::buckets
  Counts crash_places;                           ///< crashes, by the stopping point that their node came to last
  std::string broken_scenario;                   ///< file:line: what is wrong (exit code 2); empty: fine
  std::string not_simulated;                     ///< a command met that the fake does not simulate (exit code 2)
};

/// The script that `design.script` names, ready to run: a bundled one, or a file. The text of the error otherwise, with
/// file and line.
struct ScriptProblem {
  std::string text;
};
[[nodiscard]] std::variant<ScriptUnderTest, ScriptProblem> find_script(const std::string& name_or_path);

/// Runs once. Throws InternalError when the simulator itself is at fault, std::invalid_argument when `find_script` or
/// the locale fails: the caller checks both before.
[[nodiscard]] RunResult run_once(const Scenario& scenario, std::uint64_t seed, const RunOptions& options);

}  // namespace cohsim
