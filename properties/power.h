// The gate's power: how many seeds it takes until a planted defect is reported by the property that should see it.
//
// All scenarios run with seed 1, then all with seed 2, until the property has reported each defect. Runs happen in worker
// processes; what comes out does not depend on their number.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "properties/defect_table.h"
#include "properties/exit_code.h"
#include "properties/outcome.h"

namespace cohsim {

struct PowerSettings {
  std::uint64_t seeds = 2000;  ///< gives up behind so many
  unsigned jobs = 1;           ///< worker processes, at least 1
  /// Before each seed: its number, and how many defects are still looked for. For a progress line.
  std::function<void(std::uint64_t seed, std::size_t left)> progress;
};

/// What became of one defect.
struct PowerRow {
  DefectRow wanted;
  std::uint64_t seeds = 0;            ///< until the property reported it; 0: it did not
  std::string scenario;               ///< the first to do so in that seed, random ones before scripted ones
  std::uint64_t finders = 0;          ///< so many scenarios did so in that seed
  std::set<std::string> others;       ///< what else was violated up to that seed, `expectation` and invariants left out
  std::vector<std::string> accidents; ///< "SCENARIO seed N: PROPERTY …": runs in which nothing that was declared was violated
};

struct PowerResult {
  std::vector<PowerRow> rows;  ///< in the order of the table
  std::string fault;           ///< the simulator's own failure in one of the runs; empty: none
  bool interrupted = false;
  /// ok when every defect was found, and none by accident only.
  [[nodiscard]] ExitCode exit_code() const;
};

/// Scenarios that violate something by themselves prove nothing here: hand in guarantees. Blocks.
[[nodiscard]] PowerResult measure_power(const std::vector<Scenario>& scenarios, std::span<const DefectRow> table,
                                        const RunFunction& run, const PowerSettings& settings);

/// A row a defect, then what was found by accident only.
[[nodiscard]] std::string to_text(const PowerResult& result);

}  // namespace cohsim
