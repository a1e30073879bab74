#include "properties/tally.h"

#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "sim/random.h"

namespace cohsim {
namespace {

constexpr std::size_t faulty_kept = 5;

std::uint64_t fold_text(std::uint64_t hash, std::string_view text) {
  return XXH3_64bits_withSeed(text.data(), text.size(), hash);
}

// What a run adds to the results hash. The text of a fault may differ between machines; that it was one may not.
std::uint64_t digest(const RunOutcome& outcome) {
  const RunResult& r = outcome.result;
  std::uint64_t hash = mix64(r.seed + golden_gamma);
  if (!outcome.fault.empty()) return fold_text(hash, "fault");
  hash = mix64(hash ^ r.hash);
  hash = mix64(hash ^ r.steps);
  for (const auto& violation : r.violations) {
    hash = mix64(fold_text(hash, violation.property) ^ violation.step);
    hash = fold_text(hash, violation.sentence);
  }
  return fold_text(fold_text(hash, r.broken_scenario), r.not_simulated);
}

// Keeps the list of distinct hashes short while it grows.
void note_hash(std::vector<std::uint64_t>& hashes, std::uint64_t hash) {
  if (hashes.size() == hashes.capacity() && !hashes.empty()) {
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    if (hashes.size() > hashes.capacity() / 2) hashes.reserve(hashes.capacity() * 2);
  }
  hashes.push_back(hash);
}

}  // namespace

void add_counts(Counts& sum, const Counts& more) {
  constexpr std::string_view largest = "_max";
  for (const auto& [key, value] : more) {
    auto& total = sum[key];
    total = std::string_view(key).ends_with(largest) ? std::max(total, value) : total + value;
  }
}

ScenarioResult start_tally(const Scenario& scenario, const SeedPlan& seeds) {
  ScenarioResult result;
  result.name = scenario.name;
  result.path = scenario.path;
  result.about = scenario.about;
  result.violates = scenario.expect.violates;
  result.quarantine = scenario.quarantine;
  result.seeds = seeds;
  if (scenario.expect.violates) {
    result.properties[*scenario.expect.violates].allowed = true;
    for (const auto& name : scenario.expect.also) result.properties[name].allowed = true;
  }
  return result;
}

bool add_outcome(ScenarioResult& result, RunOutcome outcome) {
  const RunResult& run = outcome.result;
  ++result.runs;
  result.results_hash += digest(outcome);
  if (!outcome.fault.empty()) {
    ++result.faulty_runs;
    if (result.faulty.size() < faulty_kept) result.faulty.push_back({run.seed, std::move(outcome.fault)});
    return true;
  }
  bool unexpected = false;
  result.steps += run.steps;
  result.virtual_us += run.virtual_us;
  note_hash(result.hashes, run.hash);
  for (const auto& [name, times] : run.exercised) result.properties[name].exercised += times;
  for (const auto& violation : run.violations) {
    auto& tally = result.properties[violation.property];
    ++tally.failing_seeds;
    if (!tally.first) tally.first = Failure{run.seed, violation};
    unexpected = unexpected || !tally.allowed;
  }
  add_counts(result.branches, run.branches);
  add_counts(result.faults, run.faults);
  add_counts(result.measures, run.measures);
  add_counts(result.staleness, run.staleness);
  add_counts(result.crash_places, run.crash_places);
  if (result.broken.empty()) result.broken = run.broken_scenario;
  if (result.not_simulated.empty()) result.not_simulated = run.not_simulated;
  return unexpected || !run.broken_scenario.empty() || !run.not_simulated.empty();
}

void finish_tally(ScenarioResult& result) {
  std::sort(result.hashes.begin(), result.hashes.end());
  result.hashes.erase(std::unique(result.hashes.begin(), result.hashes.end()), result.hashes.end());
}

void add_totals(GateResult& gate, const std::vector<std::string>& known) {
  for (const auto& name : known) gate.exercised.try_emplace(name, 0);
  std::uint64_t hash = 0;
  for (const auto& scenario : gate.scenarios) {
    gate.runs += scenario.runs;
    gate.steps += scenario.steps;
    gate.virtual_us += scenario.virtual_us;
    add_counts(gate.branches, scenario.branches);
    add_counts(gate.faults, scenario.faults);
    add_counts(gate.measures, scenario.measures);
    add_counts(gate.staleness, scenario.staleness);
    add_counts(gate.crash_places, scenario.crash_places);
    for (const auto& [name, tally] : scenario.properties) gate.exercised[name] += tally.exercised;
    hash = mix64(fold_text(hash, scenario.name) ^ scenario.results_hash);
  }
  gate.results_hash = hash;
}

}  // namespace cohsim
