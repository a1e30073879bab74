// The honest model violates nothing in runs in which everything goes wrong, and neither does one whose journals are SQLite's,
// where defects of the journal's owner are caught as well. What finds each of them: power_test.cpp.
#include <algorithm>
#include <set>

#include "model/test_world.h"
#include "properties/defect_table.h"
#include "properties/run.h"
#include "testing/catch.h"

namespace {

using namespace cohsim;

constexpr std::uint64_t seeds = 12;

Scenario scenario_of(std::uint64_t seed) {
  Scenario scenario = test::stormy();
  scenario.workload.operations = 1200;
  scenario.workload.over_us = 40 * us_per_s;
  scenario.workload.mix.corrupt = 0;
  scenario.design.version_kinds = {"USR", "TXN"};
  if (seed % 3 == 0) scenario.design.fanout = Fanout::per_node;
  if (seed % 2 == 0) {  // zombies: few jobs, and handlers that outlive their leases
    scenario.workload.operations = 200;
    scenario.workload.over_us = 200 * us_per_s;
    scenario.faults.nodes.crash = 5'000;
    scenario.faults.handlers.latency = {0, 60 * us_per_s};
  } else {  // flights that last, and so have several waiters
    scenario.loader.latency = {us_per_ms, us_per_s};
    scenario.tables[1].names = 40;  // so that few intents are superseded once the queue is lost
    scenario.faults.valkey.restart = 2'000;
  }
  return scenario;
}

/// What the defect violates, and the first seed that shows `wanted` (0: none).
std::set<std::string> violated_with(Defect defect, std::string_view wanted, std::uint64_t& first,
                                    JournalKind journal = JournalKind::model) {
  std::set<std::string> violated;
  first = 0;
  for (std::uint64_t seed = 1; seed <= seeds && first == 0; ++seed) {
    RunOptions options;
    options.defect = defect;
    Scenario scenario = scenario_of(seed);
    scenario.design.journal = journal;
    for (const Violation& violation : run_once(scenario, seed, options).violations) {
      violated.insert(violation.property);
      if (violation.property == wanted) first = seed;
      if (defect == Defect::none) UNSCOPED_INFO("seed " << seed << ": " << violation.property << ": " << violation.sentence);
    }
  }
  return violated;
}

}  // namespace

TEST_CASE("the honest model violates no guarantee, whatever goes wrong") {
  std::uint64_t first = 0;
  CHECK(violated_with(Defect::none, "", first).empty());
}

TEST_CASE("a journal in SQLite is judged like any other: honest it violates nothing, and its owner's defects are caught") {
  std::uint64_t first = 0;
  CHECK(violated_with(Defect::none, "", first, JournalKind::sqlite).empty());
  for (const Defect defect : {Defect::memory_goes_back, Defect::replay_trusts_marks, Defect::compacts_everything,
                              Defect::acknowledges_early, Defect::stale_job_drops}) {
    const auto* info = std::find_if(defect_table.begin(), defect_table.end(),
                                    [&](const DefectRow& each) { return each.defect == defect; });
    violated_with(defect, info->property, first, JournalKind::sqlite);
    INFO("must violate " << info->property);
    CHECK(first != 0);
  }
}
