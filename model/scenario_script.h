// Internal to model/: one script of a scenario, and what its steps share.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lua/host.h"
#include "model/scenario_steps.h"
#include "model/step_arguments.h"

namespace cohsim {

class ScenarioScript::Impl {
 public:
  explicit Impl(const Scenario& scenario);
  void run_steps(StepsApi& api);
  std::optional<BrokenInvariant> check_invariants(const WorldView& view);

  using Step = lua::Value (*)(Impl&, StepArguments&);
  struct Named {
    std::string name;
    Step run;
    std::size_t arguments_max;
    bool reads;  ///< offered to invariants, too
  };
  static const std::vector<Named>& all();

  lua::Value write_object(const OperationState& state);
  [[nodiscard]] const WorldView& view() const { return *view_; }
  [[nodiscard]] StepsApi& api() const { return *api_; }
  [[nodiscard]] int line() const { return call_line_; }
  const Scenario& scenario;

 private:
  lua::Value offer(bool readers_only);
  lua::Value bound(const std::string& name, std::size_t arguments_max, bool reads,
                   std::function<lua::Value(StepArguments&)> run);
  std::vector<lua::Value> call(lua::FunctionRef function, const lua::Value& argument);
  [[noreturn]] void broken(const lua::FileError& error) const;

  lua::Host host_;
  lua::Value steps_;
  std::vector<std::pair<std::string, lua::FunctionRef>> invariants_;
  lua::Value steps_argument_, world_argument_;
  StepsApi* api_ = nullptr;          // while steps run
  const WorldView* view_ = nullptr;  // while steps run or invariants are checked
  bool judging_ = false;
  int call_line_ = 0;
  std::uint64_t calls_ = 0;
};

}  // namespace cohsim
