#include "reports/commands.h"

#include <fmt/format.h>

#include "reports/escape.h"

namespace cohsim {
namespace {

std::string command(std::string_view verb, const GateSettings& settings, const ScenarioResult& scenario,
                    std::uint64_t seed) {
  std::string line = fmt::format("cohsim {} {} --seed {}", verb, shell_word(scenario.path), seed);
  if (scenario.path_is_shared) line += fmt::format(" --scenario {}", shell_word(scenario.name));
  for (const auto& word : settings.changes) line += fmt::format(" {}", shell_word(word));
  return line;
}

FailureView of_property(const GateSettings& settings, const ScenarioResult& scenario, const std::string& property,
                        const PropertyTally& tally) {
  const Failure& first = *tally.first;
  FailureView view;
  view.seed = first.seed;
  view.title = fmt::format("{}, step {} ({} s), {} of {} seeds", property, first.violation.step,
                           show_time(first.violation.at), tally.failing_seeds, scenario.runs);
  view.sentence = one_line(first.violation.sentence);
  view.replay = replay_command(settings, scenario, first.seed);
  view.shrink = shrink_command(settings, scenario, first.seed);
  return view;
}

}  // namespace

std::string replay_command(const GateSettings& settings, const ScenarioResult& scenario, std::uint64_t seed) {
  return command("replay", settings, scenario, seed);
}

std::string shrink_command(const GateSettings& settings, const ScenarioResult& scenario, std::uint64_t seed) {
  std::string name = scenario.name;
  for (char& c : name) {
    if (c == '/' || c == ' ') c = '_';
  }
  return fmt::format("{} -o {}", command("shrink", settings, scenario, seed),
                     shell_word(fmt::format("{}-{}.lua", name, seed)));
}

std::vector<FailureView> failures_of(const GateSettings& settings, const ScenarioResult& scenario) {
  std::vector<FailureView> views;
  if (scenario.exit_code == ExitCode::ok && !scenario.quarantined) return views;
  for (const auto& faulty : scenario.faulty) {
    FailureView view;
    view.seed = faulty.seed;
    view.title = fmt::format("fault of the simulator, {} of {} seeds", scenario.faulty_runs, scenario.runs);
    view.sentence = one_line(faulty.what);
    view.replay = replay_command(settings, scenario, faulty.seed);
    views.push_back(std::move(view));
  }
  for (const auto& [property, tally] : scenario.properties) {
    if (tally.first && !tally.allowed) views.push_back(of_property(settings, scenario, property, tally));
  }
  if (views.empty() || scenario.verdict == ScenarioVerdict::broken) {
    FailureView view;
    view.title = std::string(text_of(scenario.verdict));
    view.sentence = one_line(scenario.reason);
    views.insert(views.begin(), std::move(view));
  }
  return views;
}

}  // namespace cohsim
