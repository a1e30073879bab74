#include "model/scenario_loader.h"

#include <algorithm>
#include <optional>

#include "lua/host.h"
#include "model/scenario_chunk.h"
#include "model/scenario_fields.h"

namespace cohsim {

namespace {

constexpr std::size_t problems_max = 200;

std::string stem_of(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

/// Whether the path is text that reports and terminals can carry: it names the scenario.
bool is_plain_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = lua::utf8_length(text);
    if (length == 0 || lua::begins_with_control(text)) return false;
    text.remove_prefix(length);
  }
  return true;
}

Scenario read_scenario(const std::string& path, const ScenarioChunk& chunk, std::size_t index, const KnownNames& known,
                       std::vector<LoadProblem>& problems) {
  const ScenarioChunk::Found& found = chunk.found[index];
  std::vector<LoadProblem> own;
  scenario_file::Reading reading{path, found.lines, known, own};
  Scenario scenario;
  scenario.path = path;
  scenario.line = found.lines.line;
  scenario_file::read_section(reading, std::string(), found.keys, scenario_file::scenario_specs(), scenario);
  if (!reading.has("script")) {  // the variant of the script that leaves the floor, or voids the lease
    if (scenario.design.after_drop == AfterDrop::floor) scenario.design.script = "coherence_drop_floor";
    if (scenario.design.fill_write == FillWrite::lease) scenario.design.script = "coherence_drop_lease";
  }
  scenario_file::judge_whole(reading, scenario);
  if (scenario.name.empty() && !reading.has("name")) {
    if (chunk.returned.size() > 1) reading.problem("name", "missing; each scenario of a list needs its own name");
    scenario.name = stem_of(path);
  }
  problems.insert(problems.end(), own.begin(), own.end());
  return scenario;
}

void judge_names(const std::string& path, const std::vector<Scenario>& scenarios, std::vector<LoadProblem>& problems) {
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (scenarios[i].name != scenarios[j].name || scenarios[i].name == stem_of(path)) continue;
      problems.push_back({path, scenarios[i].line, "name",
                          "'" + scenarios[i].name + "' is the name of another scenario of this file, in line " +
                              std::to_string(scenarios[j].line)});
      break;
    }
  }
}

}  // namespace

std::string LoadProblem::text() const {
  return file + ":" + (line > 0 ? std::to_string(line) + ":" : "") + " " + (key.empty() ? "" : key + ": ") + message;
}

LoadResult load_scenarios_text(const std::string& path, std::string_view text, const KnownNames& known) {
  if (!is_plain_text(path)) return std::vector<LoadProblem>{{path, 0, "", "the file's name is not UTF-8 without control characters"}};
  lua::Host host;
  ScenarioChunk chunk;
  try {
    chunk = evaluate_scenarios(host, path, text);
  } catch (const LoadFailure& failure) {
    return std::vector<LoadProblem>{failure.problem};
  }
  std::vector<LoadProblem> problems = chunk.problems;
  std::vector<Scenario> scenarios;
  const auto shared = std::make_shared<const std::string>(text);
  for (const std::size_t index : chunk.returned) {
    scenarios.push_back(read_scenario(path, chunk, index, known, problems));
    scenarios.back().text = shared;
    scenarios.back().place = scenarios.size() - 1;
  }
  judge_names(path, scenarios, problems);
  if (problems.empty()) return scenarios;
  std::stable_sort(problems.begin(), problems.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
  if (problems.size() > problems_max) {
    const std::string more = std::to_string(problems.size() - problems_max);
    problems.resize(problems_max);
    problems.push_back({path, problems.back().line, "", "and " + more + " more problems"});
  }
  return problems;
}

LoadResult load_scenarios(const std::string& path, const KnownNames& known) {
  std::variant<std::string, LoadProblem> text = read_scenario_text(path);
  if (const auto* problem = std::get_if<LoadProblem>(&text)) return std::vector<LoadProblem>{*problem};
  return load_scenarios_text(path, std::get<std::string>(text), known);
}

}  // namespace cohsim
