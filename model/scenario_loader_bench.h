// For tests of the loader only: scenario texts, loaded or with what is wrong with them.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "model/scenario_loader.h"

namespace cohsim::loader_bench {

inline const KnownNames known{{"fills_respect_invalidations", "rows_converge", "values_converge"}, {"commits", "dead jobs", "newer"}};

/// All problems, one a line, without the file's name; "" when the text loads.
inline std::string problems_of(const std::string& text, const std::string& path = "f.lua") {
  const LoadResult result = load_scenarios_text(path, text, known);
  std::string lines;
  if (const auto* problems = std::get_if<1>(&result)) {
    for (const LoadProblem& problem : *problems) lines.append(lines.empty() ? "" : "\n").append(problem.text());
  }
  return lines;
}

inline std::vector<Scenario> loaded(const std::string& text, const std::string& path = "f.lua") {
  LoadResult result = load_scenarios_text(path, text, known);
  if (result.index() != 0) throw std::runtime_error(problems_of(text, path));
  return std::get<0>(std::move(result));
}

/// A scenario that is good, with more keys.
inline std::string with(const std::string& keys) {
  return "return scenario {\nnodes = { 'a', 'b' }, tables = { users = { kind = 'USR' } }, workload = { operations = 1 "
         "},\n" +
         keys + "\n}";
}

}  // namespace cohsim::loader_bench
