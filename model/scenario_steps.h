// The steps and the invariants of a scenario, bound to Lua. One script a run: a fresh Lua state from the file's text,
// so that nothing leaks from seed to seed.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/scenario.h"
#include "model/steps_api.h"
#include "model/world_view.h"

namespace cohsim {

/// The scenario itself is at fault (exit code 2): a Lua error, a step with wrong arguments, a step that cannot be done.
/// what() is "file:line: …".
class ScenarioBroken : public std::runtime_error {
 public:
  ScenarioBroken(const std::string& file, int at_line, const std::string& text)
      : std::runtime_error(file + (at_line > 0 ? std::string(":").append(std::to_string(at_line)) : std::string()) +
                           ": " + text),
        line(at_line) {}
  int line;  ///< 0: unknown
};

struct BrokenInvariant {
  std::string name;
  std::string text;
};

class ScenarioScript {
 public:
  /// Evaluates `scenario.text` again. Throws ScenarioBroken; std::invalid_argument for a scenario without text. The
  /// scenario must outlive the script.
  explicit ScenarioScript(const Scenario& scenario);
  ~ScenarioScript();
  ScenarioScript(const ScenarioScript&) = delete;
  ScenarioScript& operator=(const ScenarioScript&) = delete;

  /// Runs `steps` to its end; nothing without steps. Throws ScenarioBroken, and lets every exception of the api pass
  /// that is no StepError: the file's pcall catches neither those nor wrong arguments, but does catch a StepError.
  void run_steps(StepsApi& api);
  /// Calls every invariant in name order; the first that answers false (or nil) is named. Throws ScenarioBroken. May be
  /// called while run_steps is under way, from within the api.
  std::optional<BrokenInvariant> check_invariants(const WorldView& view);

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

/// Names of everything that the argument of `steps` (or, `readers_only`, of an invariant) offers, in name order.
[[nodiscard]] std::vector<std::string> step_names(bool readers_only);

}  // namespace cohsim
