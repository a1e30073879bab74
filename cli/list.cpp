#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/command.h"
#include "cli/inputs.h"
#include "model/points.h"
#include "properties/defect_table.h"
#include "properties/oracle.h"

namespace cohsim::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  bool properties = false, settings = false, points = false, defects = false;
};

void list_scenarios(const std::vector<std::string>& paths) {
  const std::vector<Scenario> scenarios = load_all(scenario_files(paths));
  std::size_t width = 0;
  for (const auto& scenario : scenarios) width = std::max(width, scenario.name.size());
  for (const auto& scenario : scenarios) {
    const std::string folder = std::filesystem::path(scenario.path).parent_path().filename().string();
    std::cout << fmt::format("{:<11} {:<{}}  {}\n", folder, scenario.name, width, scenario.about);
    if (scenario.expect.violates) std::cout << fmt::format("{:<11}   violates {}\n", "", *scenario.expect.violates);
  }
}

void list_properties() {
  for (const auto& info : all_properties()) {
    std::cout << fmt::format("{:<9} {:<28} {}\n", info.guarantee ? "guarantee" : "asked for", info.name, info.holds_when);
  }
}

void list_points() {
  for (const auto& point : all_points()) std::cout << fmt::format("{:<18} {}\n", point.name, point.next);
}

void list_defects() {
  for (std::size_t i = 0; i < all_defects.size(); ++i) {
    std::cout << fmt::format("{:<27} {:<27} {}\n", all_defects[i].name, defect_table[i].property, all_defects[i].wrong);
  }
}

void list_settings() {
  for (const auto& setting : settings_table()) {
    std::cout << fmt::format("{:<32} {}{}{}\n", setting.key, setting.type,
                             setting.fallback.empty() ? "" : fmt::format(", default {}", setting.fallback),
                             setting.built ? "" : " (other values are not built yet)");
    if (!setting.meaning.empty()) std::cout << "    " << setting.meaning << '\n';
  }
}

ExitCode list(const Options& options) {
  if (options.properties) list_properties();
  if (options.settings) list_settings();
  if (options.points) list_points();
  if (options.defects) list_defects();
  if (!options.properties && !options.settings && !options.points && !options.defects) list_scenarios(options.paths);
  return ExitCode::ok;
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("list", "Scenarios, properties, settings, stopping points, defects");
  command->add_option("PATH", options->paths, "Scenario files or folders (default: the bundled scenarios)");
  command->add_flag("--properties", options->properties, "Every property and when it holds");
  command->add_flag("--settings", options->settings, "Every key of a scenario file with its default");
  command->add_flag("--points", options->points, "Where `stop_before` can stop an operation");
  command->add_flag("--defects", options->defects, "Every planted defect, the property that must find it, and what goes wrong");
  command->footer("example:\n  cohsim list --points");
  command->callback([options, &action] { action = [options] { return list(*options); }; });
}

}  // namespace cohsim::cli
