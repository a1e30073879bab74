#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/suggest.h"
#include "properties/oracle.h"
#include "properties/topic.h"

namespace cohsim::cli {
namespace {

ExitCode explain(const std::string& name) {
  if (name == "expectation") {
    std::cout << "expectation: checked where a scenario's steps call s.expect\n\n"
                 "holds when\n  every s.expect(condition, text) of the scenario was true\n\n"
                 "how it breaks\n  the text of the first false one is the sentence of the violation, with its line\n";
    return ExitCode::ok;
  }
  if (const Topic* topic = find_topic(name)) {
    std::cout << topic_text(*topic);
    return ExitCode::ok;
  }
  const PropertyInfo* info = find_property(name);
  if (info == nullptr) {
    std::vector<std::string> known = property_names();
    for (const Topic& topic : all_topics()) known.emplace_back(topic.name);
    throw UsageError(fmt::format("explain {}: no such property or weak point{} (`cohsim list --properties`)", name,
                                 did_you_mean(name, known)));
  }
  std::cout << fmt::format("{}: {}\n\nholds when\n  {}\n\nhow it breaks\n  {}\n", info->name,
                           info->guarantee ? "a guarantee, checked in every run that does not expect it violated"
                                           : "checked where a scenario asks for it",
                           info->holds_when, info->how_it_breaks);
  return ExitCode::ok;
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("explain", "What a property means and how it can break; what an operator can check and mend");
  command->add_option("NAME", *name, "A property, or a weak point such as locale_collation")->required();
  command->footer("example:\n  cohsim explain no_newer_row_erased\n  cohsim explain locale_collation");
  command->callback([name, &action] { action = [name] { return explain(*name); }; });
}

}  // namespace cohsim::cli
