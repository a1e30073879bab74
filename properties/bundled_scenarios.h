// The bundled scenarios, for tests that are about all of them.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "lua/collation.h"
#include "model/scenario_loader.h"
#include "properties/measures.h"
#include "properties/oracle.h"

namespace cohsim {

/// Every scenario of the source tree's scenarios/, in path order. Throws with every problem when one does not load.
inline std::vector<Scenario> bundled_scenarios() {
  KnownNames known;
  for (const PropertyInfo& info : all_properties()) known.properties.emplace_back(info.name);
  known.measures = Measures::names();
  const auto files = find_scenario_files(std::string(COHSIM_SOURCE_DIR) + "/scenarios");
  if (const auto* problem = std::get_if<LoadProblem>(&files)) throw std::runtime_error(problem->text());
  std::vector<Scenario> all;
  std::string problems;
  for (const std::string& file : std::get<std::vector<std::string>>(files)) {
    const LoadResult loaded = load_scenarios(file, known);
    if (const auto* list = std::get_if<std::vector<LoadProblem>>(&loaded)) {
      for (const LoadProblem& problem : *list) problems += problem.text() + '\n';
      continue;
    }
    for (const Scenario& scenario : std::get<std::vector<Scenario>>(loaded)) all.push_back(scenario);
  }
  if (!problems.empty()) throw std::runtime_error(problems);
  return all;
}

/// Whether this machine can run it: its collation is there.
inline bool runs_here(const Scenario& scenario) { return lua::available(scenario.design.collate); }

}  // namespace cohsim
