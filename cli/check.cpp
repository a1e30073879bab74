#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/terminal.h"

namespace cohsim::cli {
namespace {

ExitCode check_file(const std::string& file, const KnownNames& known) {
  const auto text = read_scenario_text(file);
  if (const auto* problem = std::get_if<LoadProblem>(&text)) {
    std::cerr << plain_text(problem->text()) << '\n';
    return ExitCode::usage;
  }
  const auto loaded = load_scenarios_text(file, std::get<std::string>(text), known);
  if (const auto* scenarios = std::get_if<std::vector<Scenario>>(&loaded)) {
    for (const auto& scenario : *scenarios) std::cout << fmt::format("{}: {}: fine\n", file, scenario.name);
    return ExitCode::ok;
  }
  for (const auto& problem : std::get<std::vector<LoadProblem>>(loaded)) std::cout << plain_text(problem.text()) << '\n';
  return ExitCode::failed;
}

ExitCode check(const std::vector<std::string>& paths) {
  ExitCode code = ExitCode::ok;
  const KnownNames known = known_names();
  for (const auto& path : paths) {
    const auto files = find_scenario_files(path);
    if (const auto* problem = std::get_if<LoadProblem>(&files)) {
      std::cerr << plain_text(problem->text()) << '\n';
      code = worse(code, ExitCode::usage);
      continue;
    }
    for (const auto& file : std::get<std::vector<std::string>>(files)) code = worse(code, check_file(file, known));
  }
  return code;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("check", "Says what is wrong with scenario files, without running them");
  command->add_option("FILE", *paths, "Scenario files or folders")->required();
  command->footer("exit codes: 0 fine, 1 findings, 2 unreadable\nexample:\n  cohsim check scenarios/hazards");
  command->callback([paths, &action] { action = [paths] { return check(*paths); }; });
}

}  // namespace cohsim::cli
