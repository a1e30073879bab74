#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/inputs.h"
#include "properties/outcome.h"
#include "reports/replay_trace.h"
#include "reports/state_text.h"

namespace cohsim::cli {
namespace {

constexpr std::uint64_t around_steps = 20;

struct Options {
  std::string path, scenario, script, format = "text", emulate = default_personality();
  std::uint64_t seed = 0, until = 0, around = 0;
  bool state = false;
};

RunResult run_or_complain(const Scenario& scenario, std::uint64_t seed, const RunOptions& options) {
  const RunResult result = run_once(scenario, seed, options);
  if (!result.broken_scenario.empty()) throw UsageError(result.broken_scenario);
  if (!result.not_simulated.empty()) {
    throw UsageError(fmt::format("{}: a command that the fake server does not simulate: {}", scenario.path,
                                 result.not_simulated));
  }
  return result;
}

ExitCode replay(const Options& options) {
  std::vector<Scenario> scenarios{load_one(options.path, options.scenario)};
  choose_script(scenarios, options.script);
  choose_personality(scenarios, options.emulate);
  const Scenario& scenario = scenarios.front();
  if (const std::string why = why_skipped(scenario); !why.empty()) throw UsageError(why);
  RunOptions run;
  run.until_step = options.until;
  // Twice: the first run tells where to print the violations, and the second had better be the same.
  const RunResult first = run_or_complain(scenario, options.seed, run);
  std::string state;
  if (options.state) run.at_end = [&](const WorldView& world) { state = state_text(world); };
  ReplayTrace trace(std::cout, scenario, options.format == "jsonl" ? TraceFormat::jsonl : TraceFormat::text);
  trace.expect(first.violations);
  if (options.around != 0) {
    trace.only_between(options.around > around_steps ? options.around - around_steps : 0, options.around + around_steps);
  }
  run.sink = &trace;
  trace.begin(options.seed);
  const RunResult second = run_once(scenario, options.seed, run);
  trace.end(second, state);
  if (second.hash != first.hash) {
    throw std::logic_error(fmt::format("nondeterminism: {} seed {} gave hashes {:016x} and {:016x}", scenario.name,
                                       options.seed, first.hash, second.hash));
  }
  return second.violations.empty() ? ExitCode::ok : ExitCode::failed;
}

}  // namespace

void add_replay(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("replay", "One run: its trace, what it violated, its trace hash");
  command->add_option("SCENARIO", options->path, "Scenario file")->required();
  command->add_option("--seed", options->seed, "Which run")->required()->check(whole_number());
  command->add_option("--scenario", options->scenario, "Which scenario of the file, where it holds several");
  command->add_option("--until", options->until, "Stop after this step")->check(CLI::PositiveNumber);
  command->add_option("--around", options->around, fmt::format("Show only {} steps before and after this one", around_steps))->check(CLI::PositiveNumber);
  command->add_flag("--state", options->state, "Show all rows, queues and memories where the run stopped");
  command->add_option("--format", options->format, "text or jsonl")->check(CLI::IsMember({"text", "jsonl"}))->capture_default_str();
  command->add_option("--script", options->script, "Another :coherence_drop: FILE[:NAME], for scenarios that name none");
  command->add_option("--emulate", options->emulate, emulate_help())->capture_default_str();
  command->footer(
      "exit codes: 0 nothing violated, 1 a checked property was, 2 bad usage or file, 3 the simulator is at fault\n"
      "example:\n  cohsim replay scenarios/guarantees/late_stale_message.lua --seed 17 --around 60 --state");
  command->callback([options, &action] { action = [options] { return replay(*options); }; });
}

}  // namespace cohsim::cli
