// Whole generated runs: whatever the scenario, the faults and the seed, no guarantee is violated, and the same run twice
// is the same run. A broken script is found by the same property.
#include <fmt/format.h>

#include <string>

#include "model/scenario_loader.h"
#include "properties/generators.h"
#include "properties/rapid.h"
#include "properties/run.h"
#include "properties/scenario_text.h"
#include "testing/catch.h"

using namespace cohsim;

namespace {

std::string text_of(const std::vector<Violation>& violations) {
  std::string text;
  for (const Violation& violation : violations) {
    text += fmt::format("step {}: {}: {}\n", violation.step, violation.property, violation.sentence);
  }
  return text;
}

RunResult run_generated(const Scenario& scenario, std::uint64_t seed) {
  RunOptions options;
  options.max_steps = 2'000'000;
  RunResult result = run_once(scenario, seed, options);
  RC_ASSERT(result.not_simulated == "");
  RC_ASSERT(result.broken_scenario == "");
  return result;
}

void note(const RunResult& result, Reached& reached) {
  for (const Counts* counts : {&result.branches, &result.faults, &result.measures, &result.staleness, &result.crash_places}) {
    for (const auto& [name, count] : *counts) {
      if (count != 0) reached.note(name);
    }
  }
  for (const auto& [name, count] : result.exercised) {
    if (count != 0) reached.note(name);
  }
}

}  // namespace

TEST_CASE("whole runs: generated scenarios read back from their text") {
  check_property("the text of a scenario is read as that scenario", [] {
    const Scenario drawn = *generate::scenario();
    const std::string text = to_lua(drawn);
    const LoadResult loaded = load_scenarios_text("generated.lua", text, {});
    if (const auto* problems = std::get_if<std::vector<LoadProblem>>(&loaded)) RC_FAIL(problems->front().text());
    const Scenario& read = std::get<std::vector<Scenario>>(loaded).front();
    RC_ASSERT(to_lua(read) == text);
    RC_ASSERT(run_once(read, 1, {}).hash == run_once(drawn, 1, {}).hash);
  }, {60, 100});
}

TEST_CASE("whole runs: no guarantee is violated") {
  Reached reached;
  check_property("every guarantee holds and the run repeats", [&] {
    const Scenario drawn = *generate::scenario();
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    const RunResult result = run_generated(drawn, seed);
    note(result, reached);
    RC_ASSERT(text_of(result.violations) == "");
    RC_ASSERT(run_once(drawn, seed, {}).hash == result.hash);
  }, {1'000, 100});
}

TEST_CASE("whole runs: a broken script does not pass") {
  for (const char* mutant : {"at_least_as_new", "always_drop"}) {
    const PropertyOutcome outcome = try_property(fmt::format("{} keeps every guarantee", mutant), [&] {
      Scenario drawn = *generate::scenario();
      drawn.design.script = fmt::format("{}/properties/mutants/{}.lua", COHSIM_SOURCE_DIR, mutant);
      const RunResult result = run_generated(drawn, *rc::gen::arbitrary<std::uint32_t>());
      RC_ASSERT(text_of(result.violations) == "");
    }, {400, 100});
    INFO(outcome.report);
    CHECK_FALSE(outcome.held);
    CHECK(outcome.report.find("no_newer_row_erased") != std::string::npos);
    CHECK(outcome.report.find("return scenario {") != std::string::npos);
  }
}
