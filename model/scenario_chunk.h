// Internal to model/scenario_*.cpp: runs a scenario file in a sandbox and finds the scenarios that it returns.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lua/host.h"
#include "model/scenario_loader.h"
#include "model/source_lines.h"

namespace cohsim {

/// The file cannot be evaluated at all: nothing else about it can be judged.
class LoadFailure : public std::runtime_error {
 public:
  explicit LoadFailure(LoadProblem why) : std::runtime_error(why.text()), problem(std::move(why)) {}
  LoadProblem problem;
};

struct ScenarioChunk {
  struct Found {
    lua::Value keys;  ///< the table given to `scenario`; its functions belong to the host
    KeyLines lines;
  };
  std::vector<Found> found;           ///< in the order in which they were made
  std::vector<std::size_t> returned;  ///< indices of `found`, in the order of the file's list
  std::vector<LoadProblem> problems;  ///< made and not returned, and the like
};

/// Throws LoadFailure.
[[nodiscard]] ScenarioChunk evaluate_scenarios(lua::Host& host, const std::string& path, std::string_view text);

}  // namespace cohsim
