// What a gate run found, as data: the gate fills it, reports only render it. Nothing in it depends on time, on the
// number of workers, or on the machine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/exit_code.h"
#include "properties/run.h"
#include "properties/seed_plan.h"

namespace cohsim {

enum class ScenarioVerdict : std::uint8_t {
  held,
  violated_as_expected,
  violated,       ///< a property that had to hold did not
  not_violated,   ///< the expected violation did not show up
  mended,         ///< the same, under changed settings
  not_exercised,  ///< nothing that was checked was put to the test
  skipped,        ///< cannot run on this machine
  undecided,      ///< budget, shard or interruption came first
  broken,         ///< the scenario itself is at fault
  fault,          ///< the simulator is at fault
};

/// As the table prints it: "held", "VIOLATED", …
[[nodiscard]] std::string_view text_of(ScenarioVerdict verdict);
/// As machine formats spell it: the enumerator's name. Fixed.
[[nodiscard]] std::string_view name_of(ScenarioVerdict verdict);

struct Failure {
  std::uint64_t seed = 0;
  Violation violation;
};

/// One property in one scenario, over all seeds that ran.
struct PropertyTally {
  std::uint64_t exercised = 0;
  std::uint64_t failing_seeds = 0;
  bool allowed = false;           ///< violating it is what the scenario expects (`violates` or `also`)
  std::optional<Failure> first;   ///< in the lowest failing seed
};

/// A run that ended in a fault of the simulator.
struct FaultyRun {
  std::uint64_t seed = 0;
  std::string what;
};

struct ScenarioResult {
  std::string name, path, about;
  bool path_is_shared = false;         ///< its file holds several scenarios: commands must name this one
  std::optional<std::string> violates; ///< what it expects; nullopt: holds
  std::optional<Quarantine> quarantine;

  ScenarioVerdict verdict = ScenarioVerdict::undecided;
  bool quarantined = false;            ///< it did not come out as expected, and is excused until a date
  ExitCode exit_code = ExitCode::ok;   ///< what this scenario contributes
  std::string reason;                  ///< one sentence where the verdict needs one

  SeedPlan seeds;                      ///< what was to run
  std::uint64_t runs = 0;              ///< what ran
  std::uint64_t steps = 0;
  TimeUs virtual_us = 0;
  std::vector<std::uint64_t> hashes;   ///< distinct trace hashes, sorted: the interleavings seen
  std::uint64_t results_hash = 0;      ///< a sum over runs, so that parts of a sharded run add up

  std::map<std::string, PropertyTally> properties;
  Counts branches, faults, measures, staleness, crash_places;  ///< as of RunResult, added up
  std::vector<FaultyRun> faulty;       ///< the first ones, in seed order
  std::uint64_t faulty_runs = 0;
  std::string broken;                  ///< the first complaint about the scenario, with its place
  std::string not_simulated;           ///< the first command met that the fake does not simulate

  [[nodiscard]] bool complete() const { return runs == seeds.count; }
};

enum class Ended : std::uint8_t { whole, budget, fail_fast, interrupted };

/// How the run was asked for, as far as results depend on it.
struct GateSettings {
  std::uint64_t seeds = 200;
  std::uint64_t from = 1;
  Shard shard;
  std::vector<std::string> only;
  bool strict = false;
  bool verify_determinism = false;
  /// Options that change the system under test, as words of a command line ("--script", "F"). Commands that reproduce a
  /// failure repeat them, and a hazard that vanishes under them is mended.
  std::vector<std::string> changes;
};

struct CanaryResult {
  bool wanted = false;
  bool alive = false;      ///< it was violated, as it must be
  std::string property;
  std::string sentence;    ///< of its violation, or what went wrong
};

struct GateResult {
  GateSettings settings;
  Ended ended = Ended::whole;
  ExitCode exit_code = ExitCode::ok;
  CanaryResult canary;
  std::vector<ScenarioResult> scenarios;                ///< in the order given
  Counts branches, faults, measures, staleness, crash_places;  ///< as of RunResult, added up
  std::map<std::string, std::uint64_t> exercised;       ///< every known property, 0 included
  std::uint64_t runs = 0, steps = 0;
  TimeUs virtual_us = 0;
  std::uint64_t results_hash = 0;
  std::vector<std::string> in_progress;                 ///< "scenario seed N" of every run that was given up

  [[nodiscard]] bool partial() const { return ended != Ended::whole; }
};

/// Adds up counts; those named `…_max` are taken the larger of.
void add_counts(Counts& sum, const Counts& more);

}  // namespace cohsim
