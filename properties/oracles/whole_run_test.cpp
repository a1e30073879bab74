// The guarantees on the whole model: under every fault at once no oracle may fire, and each must have been put to the test.
#include <fmt/format.h>

#include "properties/run.h"
#include "testing/catch.h"

namespace cohsim {

namespace {

Scenario stormy() {
  Scenario scenario;
  scenario.name = "stormy";
  scenario.nodes = {"a", "b", "c"};
  TableSettings money;
  money.name = "money";
  money.kind = "WAL";
  money.lane = Lane::job;
  money.names = 2;
  TableSettings users;
  users.name = "users";
  users.kind = "USR";
  users.names = 3;
  users.ring_capacity = 4;
  scenario.tables = {money, users};
  scenario.workload = {120, 20 * us_per_s, {4, 10, 1, 1, 1, 3, 3, 1}};
  scenario.faults.messages = MessageFaults{50'000, 100'000, 100'000};
  scenario.faults.connections.reset = 10'000;
  scenario.faults.nodes = NodeFaults{30'000, 300'000, {10 * us_per_ms, 5 * us_per_s}};
  scenario.faults.valkey = ValkeyFaults{2'000, 10'000, 10'000, false};
  scenario.faults.handlers = HandlerFaults{100'000, {0, 50 * us_per_ms}};
  return scenario;
}

std::string sentences(const RunResult& result) {
  std::string text = fmt::format("seed {}", result.seed);
  for (const Violation& violation : result.violations) text += fmt::format("\n{}: {}", violation.property, violation.sentence);
  return text;
}

std::vector<std::string> guarantees() {
  std::vector<std::string> names;
  for (const PropertyInfo& property : all_properties()) {
    if (property.guarantee) names.emplace_back(property.name);
  }
  return names;
}

/// Fails on the first violation; answers how often each guarantee was exercised.
std::map<std::string, std::uint64_t> judge(const Scenario& scenario, std::uint64_t from, std::uint64_t to) {
  RunOptions options;
  options.only = guarantees();
  std::map<std::string, std::uint64_t> exercised;
  for (std::uint64_t seed = from; seed <= to; ++seed) {
    const RunResult result = run_once(scenario, seed, options);
    INFO(sentences(result));
    REQUIRE(result.violations.empty());
    for (const auto& [name, count] : result.exercised) exercised[name] += count;
  }
  return exercised;
}

}  // namespace

TEST_CASE("no guarantee is violated under every fault at once, and each is exercised") {
  Scenario scenario = stormy();
  scenario.design.receiver = GENERATE(Receiver::l1_and_l2, Receiver::l1);
  const auto exercised = judge(scenario, 1, 40);
  for (const std::string& name : guarantees()) {
    INFO(name);
    CHECK(exercised.at(name) > 0);
  }
}

TEST_CASE("a script that drops whatever it finds is caught") {
  Scenario scenario = stormy();
  scenario.design.script = "canary:always_drop";
  RunOptions options;
  options.only = {"no_newer_row_erased"};
  std::size_t caught = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) caught += run_once(scenario, seed, options).violations.size();
  CHECK(caught > 10);
}

TEST_CASE("comparators agree whatever goes wrong, and one that is out of step is found") {
  Scenario scenario = stormy();
  scenario.design.version_kinds = {"USR", "TXN"};
  scenario.faults.nodes.crash = 5'000;
  RunOptions options;
  options.only = {"comparators_agree"};
  const auto caught = [&](Defect defect, JournalKind journal) {
    options.defect = defect;
    scenario.design.journal = journal;
    std::size_t seeds = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const RunResult result = run_once(scenario, seed, options);
      CHECK(result.exercised.at("comparators_agree") > 0);
      seeds += result.violations.size();
    }
    return seeds;
  };
  CHECK(caught(Defect::none, JournalKind::model) == 0);
  CHECK(caught(Defect::none, JournalKind::sqlite) == 0);
  CHECK(caught(Defect::l1_drops_equal, JournalKind::model) > 0);
  CHECK(caught(Defect::l1_compares_namespaces, JournalKind::model) > 0);
  CHECK(caught(Defect::stale_job_drops, JournalKind::model) > 0);
  CHECK(caught(Defect::memory_goes_back, JournalKind::sqlite) > 0);
}

// Without faults, and with one writer at a time, today's design keeps what its users care for.
TEST_CASE("calm runs of one node violate no property at all") {
  Scenario scenario = stormy();
  scenario.nodes = {"a"};
  scenario.faults = {};
  scenario.workload.mix.corrupt = scenario.workload.mix.drop_l2 = scenario.workload.mix.message = 0;
  scenario.workload.over_us = 600 * us_per_s;
  RunOptions options;
  options.all_oracles = true;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const RunResult result = run_once(scenario, seed, options);
    INFO(sentences(result));
    CHECK(result.violations.empty());
  }
}

// Hidden, for whoever changes an oracle: properties_test "[long]".
TEST_CASE("no guarantee is violated in many runs of several designs", "[.long]") {
  Scenario scenario = stormy();
  scenario.design.receiver = GENERATE(Receiver::l1_and_l2, Receiver::l1);
  const int variant = GENERATE(0, 1, 2, 3);
  if (variant == 1) {
    scenario.faults.valkey.keep_rows = true;
    scenario.faults.nodes.crash = 200'000;
    scenario.faults.connections.reset = 50'000;
  }
  if (variant == 2) {
    scenario.faults.messages.delay = DurationRange{us_per_ms, 40 * us_per_s};
    scenario.faults.handlers.latency = {0, 40 * us_per_s};
    scenario.workload = {600, 300 * us_per_s, {4, 10, 1, 2, 2, 3, 3, 1}};
  }
  if (variant == 3) {
    scenario.tables[0].ttl_us = scenario.tables[1].ttl_us = 100 * us_per_ms;
    scenario.faults.clocks = ClockFaults{DurationRange{-us_per_s, us_per_s}, 100'000, {-us_per_s, us_per_s}};
    scenario.tables[1].max_size = 1;
  }
  judge(scenario, 1, 1500);
}

}  // namespace cohsim
