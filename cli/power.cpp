#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/clock.h"
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/suggest.h"
#include "cli/terminal.h"
#include "properties/power.h"

namespace cohsim::cli {
namespace {

struct Options {
  std::vector<std::string> paths, defects;
  std::uint64_t seeds = 2000;
  unsigned jobs = 0;
};

std::vector<DefectRow> chosen_rows(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const DefectInfo& info : all_defects) known.emplace_back(info.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw UsageError(fmt::format("--defects {}: no such defect{}; there are {}", name, did_you_mean(name, known),
                                 fmt::join(known, ", ")));
  }
  std::vector<DefectRow> rows;
  for (std::size_t i = 0; i < defect_table.size(); ++i) {
    if (names.empty() || std::find(names.begin(), names.end(), known[i]) != names.end()) rows.push_back(defect_table[i]);
  }
  return rows;
}

// A scenario with a locale runs on some machines alone, and the table is the same on all.
std::vector<Scenario> guarantees(const std::vector<std::string>& paths) {
  std::vector<Scenario> scenarios = load_all(scenario_files(paths));
  std::erase_if(scenarios, [](const Scenario& scenario) { return scenario.expect.violates || scenario.design.collate != "C"; });
  choose_script(scenarios, "");
  if (scenarios.empty()) throw UsageError(fmt::format("{}: no scenario there that holds", fmt::join(paths, " ")));
  return scenarios;
}

ExitCode power(const Options& options) {
  const std::vector<DefectRow> rows = chosen_rows(options.defects);
  const std::vector<Scenario> scenarios = guarantees(options.paths);
  PowerSettings settings;
  settings.seeds = options.seeds;
  settings.jobs = options.jobs == 0 ? cores() : options.jobs;
  if (progress_possible()) {
    settings.progress = [](std::uint64_t seed, std::size_t left) {
      clear_progress();
      std::cerr << fmt::format("seed {}, {} defects left", seed, left) << std::flush;
    };
  }
  const std::int64_t began_ms = real_ms();
  const PowerResult result = measure_power(scenarios, rows, run_once, settings);
  if (settings.progress) clear_progress();
  std::cout << plain_text(to_text(result)) << std::flush;
  std::cerr << fmt::format("{} scenarios, {:.1f} s, {} jobs\n", scenarios.size(), static_cast<double>(real_ms() - began_ms) / 1000,
                           settings.jobs);
  if (result.interrupted) std::cerr << "interrupted: what is not found was not looked for to the end\n";
  if (!result.fault.empty()) std::cerr << "cohsim: " << plain_text(result.fault) << '\n';
  return result.exit_code();
}

}  // namespace

void add_power(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("power", "Seeds until each planted defect is found by the property that should");
  command->add_option("PATH", options->paths, "Scenario files or folders; those that hold are used (default: the bundled scenarios)");
  command->add_option("--seeds", options->seeds, "Gives up behind so many")->check(whole_number())->check(CLI::PositiveNumber)->capture_default_str();
  command->add_option("--defects", options->defects, "These alone, with commas between (default: all)")->delimiter(',')->allow_extra_args(false);
  command->add_option("--jobs", options->jobs, "Worker processes (default: cores)")->check(CLI::Range(1, 1024));
  command->footer(
      "`in`: how many scenarios report the property under that seed; `first in`: one of them, random ones first\n"
      "exit codes: 0 each was found, 1 one was not, or by another property alone, 2 bad usage or file,\n"
      "3 the simulator is at fault, 130 interrupted\n"
      "example:\n  cohsim power --seeds 100 --defects mark_lost,token_ignored");
  command->callback([options, &action] { action = [options] { return power(*options); }; });
}

}  // namespace cohsim::cli
