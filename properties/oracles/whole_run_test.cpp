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
  scenario.faults.messages = {50'000, 100'000, 100'000, {}};
  scenario.faults.connections.reset = 10'000;
  scenario.faults.nodes = {30'000, 300'000, {10 * us_per_ms, 5 * us_per_s}};
  scenario.faults.valkey = {2'000, 10'000, 10'000, false};
  scenario.faults.handlers = {100'000, {0, 50 * us_per_ms}};
  return scenario;
}

std::string sentences(const RunResult& result) {
  std::string text = fmt::format("seed {}", result.seed);
  for (const Violation& violation : result.violations) text += fmt::format("\n{}: {}", violation.property, violation.sentence);
  return text;
}

}  // namespace

TEST_CASE("no guarantee is violated under every fault at once, and each is exercised") {
  const Receiver receiver = GENERATE(Receiver::l1_and_l2, Receiver::l1);
  Scenario scenario = stormy();
  scenario.design.receiver = receiver;
  RunOptions options;
  for (const PropertyInfo& property : all_properties()) {
    if (property.guarantee) options.only.emplace_back(property.name);
  }
  std::map<std::string, std::uint64_t> exercised;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const RunResult result = run_once(scenario, seed, options);
    INFO(sentences(result));
    REQUIRE(result.violations.empty());
    for (const auto& [name, count] : result.exercised) exercised[name] += count;
  }
  for (const std::string& name : options.only) {
    INFO(name);
    CHECK(exercised[name] > 0);
  }
}

}  // namespace cohsim
