// How power is measured, with runs made up; and that the bundled guarantees find every planted defect soon, by the property
// that should.
#include "properties/power.h"

#include <algorithm>
#include <array>

#include "properties/bundled_scenarios.h"
#include "properties/gate_fake.h"
#include "testing/catch.h"

namespace {

using namespace cohsim;

constexpr std::array<DefectRow, 2> two_rows{{{Defect::mark_lost, "no_intent_lost", "rows_converge values_converge"},
                                             {Defect::token_ignored, "stale_token_refused", ""}}};

std::vector<Scenario> scripted_and_random() {
  std::vector<Scenario> scenarios{fake::scenario("scripted"), fake::scenario("random")};
  scenarios[1].workload.operations = 1;
  return scenarios;
}

/// Runs that violate so many properties of the first row's defect from seed `from` on; the second row's at once.
RunFunction violating(std::uint64_t from, const std::vector<std::string>& properties) {
  return [=](const Scenario&, std::uint64_t seed, const RunOptions& options) {
    RunResult result = fake::good(seed);
    if (options.defect == Defect::token_ignored) return fake::bad(seed, "stale_token_refused");
    for (const std::string& property : properties) {
      if (seed >= from) result.violations.push_back({property, 7, 1500, "X"});
    }
    return result;
  };
}

PowerResult measured(const RunFunction& run, unsigned jobs = 2) {
  PowerSettings settings;
  settings.seeds = 5;
  settings.jobs = jobs;
  return measure_power(scripted_and_random(), two_rows, run, settings);
}

}  // namespace

TEST_CASE("power: seeds until the property, the random scenario first, and what else was violated") {
  for (const unsigned jobs : {1U, 2U}) {
    const PowerResult result = measured(violating(3, {"rows_converge", "no_intent_lost", "expectation"}), jobs);
    CHECK(result.exit_code() == ExitCode::ok);
    const PowerRow& row = result.rows[0];
    CHECK((row.seeds == 3 && row.scenario == "random" && row.finders == 2));
    CHECK(row.others == std::set<std::string>{"rows_converge"});
    CHECK(result.rows[1].seeds == 1);
    CHECK(to_text(result) == to_text(measured(violating(3, {"rows_converge", "no_intent_lost", "expectation"}))));
  }
}

TEST_CASE("power: what is found late, or by a property that nobody declared, fails") {
  const PowerResult late = measured(violating(6, {"no_intent_lost"}));
  CHECK(late.exit_code() == ExitCode::failed);
  CHECK((late.rows[0].seeds == 0 && late.rows[0].finders == 0));
  CHECK(to_text(late).find("not found") != std::string::npos);

  const PowerResult declared = measured(violating(1, {"values_converge"}));
  CHECK(declared.rows[0].accidents.empty());
  CHECK(declared.exit_code() == ExitCode::failed);  // not by the one that should

  const PowerResult accident = measured(violating(1, {"every_node_hears"}));
  CHECK(accident.exit_code() == ExitCode::failed);
  REQUIRE(accident.rows[0].accidents.size() == 10);
  CHECK(accident.rows[0].accidents[0] == "random seed 1: every_node_hears");
  CHECK(to_text(accident).find("by accident only: mark_lost in random seed 1: every_node_hears\n") != std::string::npos);
  CHECK(to_text(accident).find("… and 7 more\n") != std::string::npos);
}

TEST_CASE("power: a run that fails by itself is the simulator's fault") {
  const PowerResult result = measured([](const Scenario&, std::uint64_t, const RunOptions&) -> RunResult {
    throw std::runtime_error("broken");
  });
  CHECK(result.exit_code() == ExitCode::internal);
  CHECK(result.fault.find("mark_lost in random seed 1: ") == 0);
}

TEST_CASE("power: the table has one row a defect, and names properties that exist, none twice") {
  for (std::size_t i = 0; i < defect_table.size(); ++i) {
    const DefectRow& row = defect_table[i];
    INFO(all_defects[i].name);
    CHECK(row.defect == all_defects[i].defect);
    CHECK(find_property(row.property) != nullptr);
    std::istringstream words{std::string(row.also)};
    std::set<std::string> seen{std::string(row.property)};
    for (std::string word; words >> word;) {
      CHECK(find_property(word) != nullptr);
      CHECK(seen.insert(word).second);
    }
  }
}

// A few scenarios find them all; `cohsim power` asks all of them. Each needs one seed today: ten leave room for a trace that
// changes.
TEST_CASE("power: every planted defect is found by its property within ten seeds, and by no accident") {
  constexpr std::array finders{"every_fault_at_once",  "comparators_agree_on_model", "power_loss",
                               "small_rings_overflow", "bursts_in_one_millisecond",  "mint_and_token_persist",
                               "ttl_bounds_staleness", "failover_forgets_a_job",     "crash_forgets_l1",
                               "subscriber_subscribes_again", "late_l2_hit_adds_a_ttl_mended"};
  std::vector<Scenario> scenarios = bundled_scenarios();
  std::erase_if(scenarios, [&](const Scenario& scenario) {
    return std::find(finders.begin(), finders.end(), scenario.name) == finders.end();
  });
  REQUIRE(scenarios.size() == finders.size());
  PowerSettings settings;
  settings.seeds = 10;
  const PowerResult result = measure_power(scenarios, defect_table, run_once, settings);
  INFO(to_text(result) << result.fault);
  CHECK(result.exit_code() == ExitCode::ok);
}
