// No behaviour depends on a fault being off: whatever the scenario, every class of faults may be turned off or on by itself.
#include <fmt/format.h>

#include <string>

#include "properties/generators.h"
#include "properties/rapid.h"
#include "properties/run.h"
#include "properties/scenario_text.h"
#include "testing/catch.h"

using namespace cohsim;

namespace {

/// A class of faults: what turns it on, and what counts that it struck.
struct FaultClass {
  const char* name;
  void (*turn_on)(Faults&);
  const char* counted;  // null: nothing does
};

constexpr FaultClass classes[] = {
    {"message drop", [](Faults& f) { f.messages.drop = 100'000; }, "message dropped"},
    {"message duplicate", [](Faults& f) { f.messages.duplicate = 200'000; }, "message duplicated"},
    {"message reorder", [](Faults& f) { f.messages.reorder = 300'000; }, "message overtaken"},
    {"message delay", [](Faults& f) { f.messages.delay = DurationRange{us_per_ms, 2 * us_per_s}; }, "message delayed"},
    {"connection reset", [](Faults& f) { f.connections.reset = 50'000; }, "connection reset"},
    {"subscriber away", [](Faults& f) { f.connections.away = 100'000; }, "subscriber away"},
    {"partition", [](Faults& f) { f.connections.partition = 100'000; }, "partition"},
    {"process crash", [](Faults& f) { f.nodes.crash = 100'000; }, "process crash"},
    {"power loss", [](Faults& f) { f.nodes.crash = 100'000, f.nodes.power_loss = ppm_one; }, "power loss"},
    {"pause", [](Faults& f) { f.nodes.pause = 50'000; }, "node paused"},
    {"clock offset", [](Faults& f) { f.clocks.offset = DurationRange{-us_per_s, us_per_s}; }, nullptr},
    {"clock step", [](Faults& f) { f.clocks.step = 200'000; }, "clock step"},
    {"clock drift", [](Faults& f) { f.clocks.drift = ShareRange{-100'000, 100'000}; }, "clock drifts"},
    {"restart", [](Faults& f) { f.valkey.restart = 5'000; }, "server restart"},
    {"script flush", [](Faults& f) { f.valkey.flush_scripts = 50'000; }, "scripts flushed"},
    {"eviction", [](Faults& f) { f.valkey.evict = 50'000; }, "row evicted"},
    {"failover", [](Faults& f) { f.valkey.failover = 10'000, f.valkey.lose = 30; }, "server failover"},
    {"full server", [](Faults& f) { f.valkey.full = 20'000; }, "server full"},
    {"slow server", [](Faults& f) { f.valkey.slow = 20'000; }, "server slow"},
    {"hung script", [](Faults& f) { f.valkey.hang = 20'000; }, "script hung"},
    {"replica read", [](Faults& f) { f.valkey.stale = 200'000; }, "replica read"},
    {"handler failure", [](Faults& f) { f.handlers.fail = 300'000; }, "handler failed"},
    {"slow handler", [](Faults& f) { f.handlers.latency = DurationRange{0, 40 * us_per_s}; }, nullptr},
    {"loader failure", [](Faults& f) { f.loader.fail = 500'000; }, "loader failed"},
    {"slow loader", [](Faults& f) { f.loader.slow = 500'000; }, "loader slow"},
    {"stale loader", [](Faults& f) { f.loader.stale = 500'000; }, "loader stale"},
    {"sync failure", [](Faults& f) { f.disks.sync_fail = 700'000; }, "sync failed"},
    // Of a power loss alone: without one nothing is torn.
    {"torn write", [](Faults& f) { f.nodes.crash = 500'000, f.nodes.power_loss = ppm_one, f.disks.torn = ppm_one; }, "write torn"},
};

/// What else a class strikes with: its own counter apart, these of others may move.
bool brings(const FaultClass& on, std::string_view counter) {
  const std::string_view name = on.name;
  if (name == "message delay") return counter == "message overtaken";
  if (name == "message reorder") return counter == "message delayed";
  if (name == "partition") return counter == "message dropped";
  if (name == "torn write") return counter == "power loss";
  return false;
}

std::string text_of(const RunResult& result) {
  std::string text;
  for (const Violation& violation : result.violations) {
    text += fmt::format("step {}: {}: {}\n", violation.step, violation.property, violation.sentence);
  }
  return text + result.not_simulated + result.broken_scenario;
}

RunResult run_with(Scenario scenario, const Faults& faults, std::uint64_t seed) {
  scenario.faults = faults;
  RunResult result = run_once(scenario, seed, {});
  if (!text_of(result).empty()) RC_FAIL(to_lua(scenario) + text_of(result));
  return result;
}

}  // namespace

TEST_CASE("fault classes: each strikes where it finds something to strike") {
  Scenario busy;
  busy.name = "busy";
  busy.nodes = {"a", "b", "c"};
  busy.tables.resize(2);
  busy.tables[0].name = "money", busy.tables[0].kind = "WAL", busy.tables[0].lane = Lane::job;
  busy.tables[1].name = "users", busy.tables[1].kind = "USR", busy.tables[1].lane = Lane::broadcast;
  busy.workload = {300, 60 * us_per_s, {20, 20, 1}};
  for (const FaultClass& each : classes) {
    if (each.counted == nullptr) continue;
    busy.faults = {};
    each.turn_on(busy.faults);
    std::uint64_t seed = 1;
    while (seed <= 20 && run_once(busy, seed, {}).faults.at(each.counted) == 0) ++seed;
    CAPTURE(each.name);
    CHECK(seed <= 20);
  }
}

TEST_CASE("fault classes: each may be on alone, and no other strikes then") {
  check_property("guarantees hold with one class on", [&] {
    const Scenario drawn = *generate::scenario();
    const FaultClass& on = classes[*rc::gen::inRange<std::size_t>(0, std::size(classes))];
    Faults faults;
    on.turn_on(faults);
    const RunResult result = run_with(drawn, faults, *rc::gen::arbitrary<std::uint32_t>());
    for (const FaultClass& each : classes) {
      if (each.counted == nullptr) continue;
      const std::uint64_t count = result.faults.at(each.counted);
      const bool its_own = on.counted != nullptr && std::string_view(each.counted) == on.counted;
      if (count != 0 && !its_own && !brings(on, each.counted)) {
        RC_FAIL(fmt::format("{} is on alone, and {} is counted {} times\n{}", on.name, each.counted, count, to_lua(drawn)));
      }
    }
  }, {2'000, 100});
}

TEST_CASE("fault classes: all are on but one, and that one never strikes") {
  check_property("guarantees hold with one class off", [&] {
    const Scenario drawn = *generate::scenario();
    const std::size_t off = *rc::gen::inRange<std::size_t>(0, std::size(classes) + 1);  // the last: none is
    Faults faults;
    for (std::size_t i = 0; i < std::size(classes); ++i) {
      if (i != off) classes[i].turn_on(faults);
    }
    if (off < std::size(classes) && std::string_view(classes[off].name) == "power loss") faults.nodes.power_loss = 0;
    const RunResult result = run_with(drawn, faults, *rc::gen::arbitrary<std::uint32_t>());
    if (off == std::size(classes) || classes[off].counted == nullptr) return;
    const std::string_view name = classes[off].name;
    if (name == "message reorder" || name == "message delay") return;  // either delays, and lets others overtake
    if (name == "message drop") return;                               // partitions drop as well
    RC_ASSERT(result.faults.at(classes[off].counted) == 0U);
  }, {600, 100});
}
