// What the tests of the model share: scenarios made in C++, and a world of one of them with its steps and a log of events.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lua/collation.h"
#include "lua/interpreter.h"
#include "lua/script_source.h"
#include "model/operation_tasks.h"
#include "model/steps.h"
#include "model/workload.h"
#include "model/world.h"
#include "sim/scripted_strategy.h"

namespace cohsim::test {

inline constexpr Actor a = actor_first_node, b = actor_first_node + 1;

/// Two nodes and one table `users` on the given lane; loads take no time, and nothing goes wrong.
inline Scenario scenario_on(Lane lane) {
  Scenario scenario;
  scenario.name = "test";
  scenario.nodes = {"a", "b"};
  TableSettings table;
  table.name = "users";
  table.kind = "USR";
  table.lane = lane;
  scenario.tables = {table};
  scenario.loader.latency = {0, 0};
  return scenario;
}

/// A workload in which everything happens and everything goes wrong, on both lanes.
inline Scenario stormy() {
  Scenario scenario = scenario_on(Lane::broadcast);
  scenario.nodes = {"a", "b", "c"};
  scenario.tables.push_back(scenario.tables[0]);
  scenario.tables[1].name = "wallets";
  scenario.tables[1].kind = "WLT";
  scenario.tables[1].lane = Lane::job;
  for (TableSettings& table : scenario.tables) table.names = 4;
  scenario.loader.latency = {us_per_ms, 20 * us_per_ms};
  scenario.workload = {2000, 60 * us_per_s, {3, 10, 1, 1, 1, 2, 1, 1}};
  scenario.faults.messages = MessageFaults{20'000, 20'000, 50'000};
  scenario.faults.connections.reset = 5'000;
  scenario.faults.nodes.crash = 100'000;
  scenario.faults.nodes.power_loss = 300'000;
  scenario.faults.clocks.step = 50'000;
  scenario.faults.valkey.restart = 200;
  scenario.faults.valkey.flush_scripts = 1'000;
  scenario.faults.valkey.evict = 2'000;
  scenario.faults.handlers.fail = 50'000;
  return scenario;
}

/// Every event as `name key=value …`.
class EventLog final : public TraceSink {
 public:
  void event(const When&, std::string_view name, std::span<const Field> fields) override {
    std::string line(name);
    for (const Field& field : fields) {
      if (field.kind == Field::Kind::absent) continue;
      line += fmt::format(" {}=", field.key);
      line += field.kind == Field::Kind::bytes ? std::string(field.bytes) : std::to_string(field.integer);
    }
    lines.push_back(std::move(line));
  }
  /// How many lines begin with `name` and contain all of `parts`.
  [[nodiscard]] std::size_t count(std::string_view name, const std::vector<std::string>& parts = {}) const {
    return static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), [&](const std::string& line) {
      if (!line.starts_with(name)) return false;
      return std::all_of(parts.begin(), parts.end(), [&](const std::string& p) { return line.find(p) != line.npos; });
    }));
  }
  std::vector<std::string> lines;
};

inline lua::Interpreter& interpreter() {
  static lua::Interpreter one;
  return one;
}

inline ScriptUnderTest bundled_script(std::string_view name = "coherence_drop") {
  const lua::ScriptSource& source = *lua::bundled_script(name);
  return {source.text, source.sha1};
}

/// A world whose choices are calm but for what a test scripts. Started; `log` has what happens from the start on.
struct TestWorld {
  explicit TestWorld(Scenario the_scenario, const std::function<void(ScriptedStrategy&)>& prepare = {})
      : scenario(std::move(the_scenario)),
        world(scenario, strategy, interpreter(), bundled_script(scenario.design.script)),
        steps(world) {
    if (prepare) prepare(strategy);
    world.trace().listen(&log);
    world.start();
  }

  NameRef name(std::uint32_t n = 1) { return steps.name(0, n); }
  Node& node(Actor actor) { return world.node(actor); }
  const L1Row* l1(Actor actor, std::uint32_t n = 1) { return world.l1_row(actor, 0, name(n).id); }
  std::optional<valkey::Row> l2(std::uint32_t n = 1) { return world.l2_row(0, name(n).id); }
  OperationState put(Actor actor, const std::string& value, std::uint32_t n = 1) {
    return steps.put(actor, name(n), value, std::nullopt);
  }
  OperationState fetch(Actor actor, std::uint32_t n = 1) { return steps.fetch(actor, name(n), std::nullopt); }
  Counters counters(Actor actor) { return world.counters(actor, 0); }
  /// Runs a task at a node until nothing moves, and answers what it answered; nullopt: it has not ended.
  template <class T>
  std::optional<T> await(Actor actor, Task<T> task) {
    std::optional<T> result;
    world.scheduler().spawn(actor, keep(std::move(task), result));
    world.run_until_quiet(world.now() + 10 * us_per_s);
    return result;
  }

  Scenario scenario;
  ScriptedStrategy strategy;
  EventLog log;
  World world;
  Steps steps;

 private:
  template <class T>
  static Task<void> keep(Task<T> task, std::optional<T>& result) {
    result = co_await task;
  }
};

}  // namespace cohsim::test
