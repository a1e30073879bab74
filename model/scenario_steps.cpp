#include "model/scenario_steps.h"

#include "model/scenario_chunk.h"
#include "model/scenario_script.h"
#include "model/step_values.h"
#include "model/units.h"

namespace cohsim {

namespace {

using lua::Value;

constexpr std::uint64_t calls_max = 100'000;  // of steps in one run: a loop that never ends is a broken scenario

}  // namespace

ScenarioScript::Impl::Impl(const Scenario& of) : scenario(of) {
  if (of.text == nullptr) throw std::invalid_argument("a scenario that was not loaded has no script");
  ScenarioChunk chunk;
  try {
    chunk = evaluate_scenarios(host_, of.path, *of.text);
  } catch (const LoadFailure& failure) {
    throw ScenarioBroken(of.path, failure.problem.line, failure.problem.message);
  }
  if (of.place >= chunk.returned.size()) throw ScenarioBroken(of.path, of.line, "the file returns fewer scenarios now");
  const lua::Table& keys = *chunk.found[chunk.returned[of.place]].keys.table();
  if (const Value* steps = keys.find("steps")) steps_ = *steps;
  const Value* invariants = keys.find("invariants");
  if (invariants != nullptr && invariants->table() != nullptr) {
    for (const auto& [name, function] : invariants->table()->entries) {
      if (name.string() != nullptr && function.function() != nullptr) {
        invariants_.emplace_back(*name.string(), *function.function());
      }
    }
  }
  if (steps_.function() != nullptr) steps_argument_ = offer(false);
  if (!invariants_.empty()) world_argument_ = offer(true);
}

Value ScenarioScript::Impl::bound(const std::string& name, std::size_t arguments_max, bool reads,
                                  std::function<Value(StepArguments&)> run) {
  return host_.function({}, [this, name, arguments_max, reads, run = std::move(run)](std::span<const Value> values) {
    call_line_ = host_.caller_line();
    try {
      StepArguments arguments(scenario, name, values);
      // Before anything happens: a step with an argument too many is not done.
      arguments.at_most(arguments_max);
      if (!reads && judging_) arguments.fail("an invariant may only read");
      if (view_ == nullptr || (!reads && api_ == nullptr)) arguments.fail("is for the run of steps only");
      if (!reads && ++calls_ > calls_max) arguments.fail("more than 100000 steps in one run");
      const int line = call_line_;
      try {
        return run(arguments);
      } catch (const StepError& error) {
        throw lua::CallbackError(name + ": " + error.what());
      } catch (const ArgumentError&) {
        call_line_ = line;
        throw;
      }
    } catch (const ArgumentError& error) {
      throw ScenarioBroken(scenario.path, call_line_, error.what());
    }
  });
}

Value ScenarioScript::Impl::offer(bool readers_only) {
  lua::Table table;
  const std::string prefix = readers_only ? "w." : "s.";
  for (const Named& step : all()) {
    if (readers_only && !step.reads) continue;
    table.set(step.name, bound(prefix + step.name, step.arguments_max, step.reads,
                               [this, &step](StepArguments& a) { return step.run(*this, a); }));
  }
  return table;
}

Value ScenarioScript::Impl::write_object(const OperationState& state) {
  lua::Table object = step_values::operation(state);
  const std::pair<const char*, WritePart> parts[] = {{"mint", WritePart::mint},
                                                     {"commit", WritePart::commit},
                                                     {"table_put", WritePart::table_put},
                                                     {"announce", WritePart::announce}};
  for (const auto& [name, part] : parts) {
    object.set(name, bound(std::string("write.") + name, 2, false,
                           [this, id = state.operation, part = part](StepArguments& arguments) {
                             arguments.skip_self();
                             return step_values::operation(api().write_part(id, part, arguments.stop()));
                           }));
  }
  return object;
}

void ScenarioScript::Impl::broken(const lua::FileError& error) const {
  std::string text = error.what();
  // A misspelt step is a call of a field that is nil.
  constexpr std::string_view begin = "attempt to call field '";
  if (text.rfind(begin, 0) == 0) {
    const std::string name = text.substr(begin.size(), text.find('\'', begin.size()) - begin.size());
    const std::string meant = nearest(name, step_names(false));
    if (!meant.empty() && meant != name) text += "; did you mean '" + meant + "'?";
  }
  throw ScenarioBroken(scenario.path, error.line, text);
}

std::vector<Value> ScenarioScript::Impl::call(lua::FunctionRef function, const Value& argument) {
  try {
    return host_.call(function, std::span<const Value>(&argument, 1));
  } catch (const lua::FileError& error) {
    broken(error);
  }
}

void ScenarioScript::Impl::run_steps(StepsApi& api) {
  if (steps_.function() == nullptr) return;
  struct Running {
    Impl& impl;
    ~Running() {
      impl.api_ = nullptr;
      impl.view_ = nullptr;
    }
  } const running{*this};
  api_ = &api;
  view_ = &api.view();
  calls_ = 0;
  call(*steps_.function(), steps_argument_);
}

std::optional<BrokenInvariant> ScenarioScript::Impl::check_invariants(const WorldView& view) {
  if (invariants_.empty() || judging_) return std::nullopt;
  struct Judging {
    Impl& impl;
    const WorldView* before;
    ~Judging() {
      impl.view_ = before;
      impl.judging_ = false;
    }
  } const judging{*this, view_};
  view_ = &view;
  judging_ = true;
  for (const auto& [name, function] : invariants_) {
    const std::vector<Value> answer = call(function, world_argument_);
    if (!answer.empty() && answer[0].truthy()) continue;
    const bool says = answer.size() > 1 && answer[1].string() != nullptr;
    return BrokenInvariant{name, says ? *answer[1].string() : "the invariant " + name + " does not hold"};
  }
  return std::nullopt;
}

ScenarioScript::ScenarioScript(const Scenario& scenario) : impl_(std::make_unique<Impl>(scenario)) {}
ScenarioScript::~ScenarioScript() = default;
void ScenarioScript::run_steps(StepsApi& api) { impl_->run_steps(api); }
std::optional<BrokenInvariant> ScenarioScript::check_invariants(const WorldView& view) {
  return impl_->check_invariants(view);
}

}  // namespace cohsim
