#include "properties/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "lua/interpreter.h"
#include "lua/script_source.h"
#include "lua/sha1.h"
#include "model/scenario_steps.h"
#include "model/steps.h"
#include "model/workload.h"
#include "model/world.h"
#include "properties/measures.h"

namespace cohsim {

namespace {

// What a worker keeps between runs: a Lua state costs more than a short run, and nothing a run does changes it.
struct Workshop {
  lua::Interpreter interpreter;
  std::map<std::string, ScriptUnderTest> scripts;
};

Workshop& workshop() {
  static Workshop one;
  return one;
}

// The canary's script: erases whatever it finds. A gate that lets it pass is blind.
constexpr std::string_view always_drop =
    "if redis.call('DEL', KEYS[1]) == 1 then return 1 end\n"
    "return 0\n";

/// Thrown to end a run at the step that was asked for.
struct Stopped {};

/// `s.expect` and the scenario's own invariants, as properties.
class ScenarioChecks final : public Observer {
 public:
  using Observer::on;
  void on(const When& when, const event::ExpectationChecked& checked) override {
    ++exercised["expectation"];
    if (!checked.holds) add("expectation", when, fmt::format("line {}: {}", checked.line, checked.text));
  }
  void on(const When& when, const event::InvariantBroke& broke) override {
    add(std::string(broke.invariant), when, std::string(broke.text));
  }
  void on(const When&, const event::ScriptRan& ran) override { endless = endless || ran.endless; }
  void add(const std::string& property, const When& when, std::string sentence) {
    const auto known = [&](const Violation& violation) { return violation.property == property; };
    if (std::none_of(violations.begin(), violations.end(), known)) {
      violations.push_back({property, when.step, when.at, std::move(sentence)});
    }
  }
  std::vector<Violation> violations;
  std::map<std::string, std::uint64_t> exercised;
  bool endless = false;  ///< a call of the script did not end
};

bool named(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool checks(const Scenario& scenario, const RunOptions& options, const PropertyInfo& info) {
  if (!options.only.empty()) return named(options.only, info.name);
  return info.guarantee || options.all_oracles || named(scenario.check, info.name) ||
         scenario.expect.violates == info.name || named(scenario.expect.also, info.name);
}

/// Everything that one run is made of, and the order in which it happens.
class Run {
 public:
  Run(const Scenario& scenario, std::uint64_t seed, const RunOptions& options, const ScriptUnderTest& script)
      : scenario_(scenario),
        options_(options),
        strategy_(seed),
        world_(scenario, strategy_, workshop().interpreter, script),
        workload_(world_),
        steps_(world_) {
    result_.seed = seed;
    world_.notes().watch(measures_);
    world_.notes().watch(checks_);
    for (const PropertyInfo& info : all_properties()) {
      if (!checks(scenario, options, info)) continue;
      oracles_.push_back(info.make(world_));
      world_.notes().watch(*oracles_.back());
    }
    if (options.watcher != nullptr) world_.notes().watch(*options.watcher);
    world_.trace().listen(options.sink);
    world_.after_step = [this] { after_step(); };
  }

  RunResult run() {
    bool settled = false;
    try {
      whole_run();
      settled = true;
    } catch (const Stopped&) {
    } catch (const ScenarioBroken& broken) {
      // Steps that trip over a row which a violation took away are its consequence, not a fault of the file.
      if (!any_violation()) result_.broken_scenario = broken.what();
    }
    collect(settled);
    return std::move(result_);
  }

 private:
  void whole_run() {
    // The scenario's own Lua state is made anew for every run, so that nothing leaks from seed to seed.
    if (scenario_.has_steps || !scenario_.invariants.empty()) script_.emplace(scenario_);
    world_.plant(options_.defect);
    world_.start();
    if (scenario_.workload.operations != 0) workload_.start();
    run_steps();
    while (scenario_.workload.operations != 0 && !workload_.done()) world_.step(world_.scheduler().next_due());
    world_.settle(true);
  }

  void run_steps() {
    if (!scenario_.has_steps) return;
    script_->run_steps(steps_);
  }

  void check_invariants() {
    const auto broken = script_->check_invariants(world_);
    if (!broken) {
      ++checks_.exercised["invariants"];
      return;
    }
    world_.notes()(actor_world, event::InvariantBroke{broken->name, broken->text});
  }

  void after_step() {
    const std::uint64_t step = world_.scheduler().steps();
    if (options_.until_step != 0 && step >= options_.until_step) throw Stopped();
    if (step > options_.max_steps) {
      throw InternalError(fmt::format("the run has not ended after {} steps", options_.max_steps));
    }
    if (!world_.host().server().not_simulated().empty()) throw Stopped();
    // A real server would be busy from here on; going on would hang call after call.
    if (checks_.endless) throw Stopped();
    if (!scenario_.invariants.empty()) check_invariants();
  }

  [[nodiscard]] bool any_violation() const {
    return !checks_.violations.empty() || std::any_of(oracles_.begin(), oracles_.end(),
                                                      [](const auto& oracle) { return oracle->violation().has_value(); });
  }

  void check_bounds() {
    if (scenario_.bounds.empty()) return;
    Counts all = measures_.measures();
    all.merge(measures_.faults());
    all.merge(measures_.branches());
    for (const Bound& bound : scenario_.bounds) {
      const std::uint64_t count = all[bound.measure];
      ++checks_.exercised["expectation"];
      if (count >= bound.low && count <= bound.high) continue;
      checks_.add("expectation", When{world_.scheduler().steps(), world_.now(), actor_world, {}},
                  fmt::format("{}: {}, and the scenario's bounds are {} to {}", bound.measure, count, bound.low, bound.high));
    }
  }

  void collect(bool settled) {
    result_.not_simulated = world_.host().server().not_simulated();
    for (const auto& oracle : oracles_) {
      if (settled) oracle->finish(true);
      result_.exercised[std::string(oracle->property())] = oracle->exercised();
      if (oracle->violation()) result_.violations.push_back(*oracle->violation());
    }
    if (settled) check_bounds();
    for (const Violation& violation : checks_.violations) result_.violations.push_back(violation);
    for (const auto& [name, count] : checks_.exercised) result_.exercised[name] = count;
    std::stable_sort(result_.violations.begin(), result_.violations.end(),
                     [](const Violation& a, const Violation& b) { return a.step < b.step; });
    result_.hash = world_.trace().hash();
    result_.steps = world_.scheduler().steps();
    result_.virtual_us = world_.now();
    result_.branches = measures_.branches();
    result_.faults = measures_.faults();
    result_.measures = measures_.measures();
    result_.staleness = measures_.staleness();
    result_.crash_places = measures_.crash_places();
    if (options_.at_end) options_.at_end(world_);
  }

  const Scenario& scenario_;
  const RunOptions& options_;
  RandomStrategy strategy_;
  World world_;
  Workload workload_;
  Steps steps_;
  Measures measures_;
  ScenarioChecks checks_;
  std::vector<std::unique_ptr<Oracle>> oracles_;
  std::optional<ScenarioScript> script_;
  RunResult result_;
};

}  // namespace

std::variant<ScriptUnderTest, ScriptProblem> find_script(const std::string& name_or_path) {
  if (const lua::ScriptSource* bundled = lua::bundled_script(name_or_path)) {
    return ScriptUnderTest{bundled->text, bundled->sha1};
  }
  if (name_or_path == "canary:always_drop") {
    return ScriptUnderTest{std::string(always_drop), lua::sha1_hex(always_drop)};
  }
  auto loaded = lua::load_script(name_or_path, workshop().interpreter);
  if (const auto* error = std::get_if<lua::LoadError>(&loaded)) return ScriptProblem{error->text()};
  const auto& source = std::get<lua::ScriptSource>(loaded);
  return ScriptUnderTest{source.text, source.sha1};
}

RunResult run_once(const Scenario& scenario, std::uint64_t seed, const RunOptions& options) {
  auto known = workshop().scripts.find(scenario.design.script);
  if (known == workshop().scripts.end()) {
    auto found = find_script(scenario.design.script);
    if (const auto* problem = std::get_if<ScriptProblem>(&found)) throw std::invalid_argument(problem->text);
    known = workshop().scripts.emplace(scenario.design.script, std::get<ScriptUnderTest>(found)).first;
  }
  return Run(scenario, seed, options, known->second).run();
}

}  // namespace cohsim
