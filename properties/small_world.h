// A world that a property drives by hand: one scenario, no faults, every call run to its end before the next.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "lua/interpreter.h"
#include "model/steps.h"
#include "model/world.h"

namespace cohsim {

/// One Lua state for all servers of a test program.
[[nodiscard]] lua::Interpreter& shared_interpreter();
/// The script, or a failed Catch2 test that says why not.
[[nodiscard]] const ScriptUnderTest& script_under_test(const std::string& name_or_path);

class SmallWorld {
 public:
  static constexpr Actor a = actor_first_node, b = actor_first_node + 1;

  /// `nodes` of them, called a, b, …; one table, "money" of kind WAL, whose rows outlive every test.
  [[nodiscard]] static Scenario scenario(Lane lane, std::size_t nodes);

  SmallWorld(Scenario scenario, std::uint64_t seed);

  World& world() { return world_; }
  Steps& steps() { return steps_; }
  /// The n-th name of the table.
  std::string id(int n) { return steps_.name(0, static_cast<std::uint32_t>(n)).id; }

  /// Runs a task of `node` to its end and answers what it answers.
  template <class T>
  T run(Actor node, Task<T> task) {
    std::optional<T> answer;
    world_.scheduler().spawn(node, keep(std::move(task), &answer));
    while (!answer) {
      if (!world_.step(world_.now() + Steps::patience_us)) throw StepError("the task did not come to its end");
    }
    return std::move(*answer);
  }

 private:
  template <class T>
  static Task<void> keep(Task<T> task, std::optional<T>* answer) {
    T value = co_await task;
    *answer = std::move(value);
  }

  Scenario scenario_;
  RandomStrategy strategy_;
  World world_;
  Steps steps_;
};

}  // namespace cohsim
