#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/suggest.h"
#include "properties/oracle.h"
#include "properties/topic.h"
#include "reports/findings.h"

namespace cohsim::cli {
namespace {

std::filesystem::path folder(const char* name) { return std::filesystem::path(default_scenarios()) / name; }

/// The bundled hazards, in the order of their files; none where the scenarios are not to be found: properties can be
/// explained without.
std::vector<Scenario> hazards() {
  const auto found = find_scenario_files(folder("hazards").string());
  const auto* files = std::get_if<std::vector<std::string>>(&found);
  if (files == nullptr) return {};
  std::vector<Scenario> loaded = load_all(*files);
  std::erase_if(loaded, [](const Scenario& scenario) { return !scenario.expect.violates.has_value(); });
  return loaded;
}

Finding finding_of(const Scenario& hazard) {
  if (const std::string why = why_skipped(hazard); !why.empty()) throw UsageError(hazard.path + ": " + why);
  Finding finding{hazard, {}};
  const std::string counterpart = (folder("guarantees") / (counterpart_of(hazard) + ".lua")).string();
  if (std::filesystem::exists(counterpart)) {
    finding.counterpart = load_all({counterpart}).front();  // one file may mend in several ways
  }
  return finding;
}

ExitCode explain_findings() {
  std::vector<Finding> findings;
  for (const Scenario& hazard : hazards()) findings.push_back(finding_of(hazard));
  if (findings.empty()) throw UsageError(fmt::format("{}: no hazards there", folder("hazards").string()));
  std::cout << findings_page(findings);
  return ExitCode::ok;
}

ExitCode list_names() {
  std::cout << "hazards\n";
  for (const Scenario& hazard : hazards()) std::cout << "  " << hazard.name << '\n';
  std::cout << "\nproperties\n";
  for (const std::string& property : property_names()) std::cout << "  " << property << '\n';
  return ExitCode::ok;
}

ExitCode explain_property(const PropertyInfo& info) {
  std::cout << fmt::format("{}: {}\n\nholds when\n  {}\n\nhow it breaks\n  {}\n", info.name,
                           info.guarantee ? "a guarantee, checked in every run that does not expect it violated"
                                          : "checked where a scenario asks for it",
                           info.holds_when, info.how_it_breaks);
  return ExitCode::ok;
}

ExitCode explain(const std::string& name) {
  if (name == "expectation") {
    std::cout << "expectation: checked where a scenario's steps call s.expect\n\n"
                 "holds when\n  every s.expect(condition, text) of the scenario was true\n\n"
                 "how it breaks\n  the text of the first false one is the sentence of the violation, with its line\n";
    return ExitCode::ok;
  }
  if (const PropertyInfo* info = find_property(name)) return explain_property(*info);
  // What an operator checks comes first, and needs no run, and so no locale of this machine.
  const Topic* topic = find_topic(name);
  if (topic != nullptr) std::cout << topic_text(*topic);
  const std::vector<Scenario> all = hazards();
  const auto hazard = std::find_if(all.begin(), all.end(), [&](const Scenario& one) { return one.name == name; });
  if (hazard != all.end() && (topic == nullptr || why_skipped(*hazard).empty())) {
    std::cout << (topic != nullptr ? "\n" : "") << finding_text(finding_of(*hazard));
  } else if (topic == nullptr) {
    std::vector<std::string> known = property_names();
    for (const Scenario& one : all) known.push_back(one.name);
    throw UsageError(fmt::format("explain {}: no such property or hazard{} (`cohsim explain` lists them)", name,
                                 did_you_mean(name, known)));
  }
  return ExitCode::ok;
}

struct Options {
  std::string name;
  bool findings = false;
};

ExitCode run_explain(const Options& options) {
  if (options.findings && !options.name.empty())
    throw UsageError("explain: the name of a property or a hazard, or --findings");
  if (options.findings) return explain_findings();
  return options.name.empty() ? list_names() : explain(options.name);
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "explain", "What a property means and how it can break; what a hazard does, its schedule, and what mends it");
  command->add_option("NAME", options->name,
                      "A property, or a hazard such as fill_races_invalidation; none: lists them");
  command->add_flag("--findings", options->findings, "All hazards as a page of Markdown: docs/findings.md");
  command->footer("example:\n  cohsim explain no_newer_row_erased\n  cohsim explain fill_races_invalidation");
  command->callback([options, &action] { action = [options] { return run_explain(*options); }; });
}

}  // namespace cohsim::cli
