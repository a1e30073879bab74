#include "properties/small_world.h"

#include <map>

#include "properties/run.h"
#include "testing/catch.h"

namespace cohsim {

lua::Interpreter& shared_interpreter() {
  static lua::Interpreter interpreter;
  return interpreter;
}

const ScriptUnderTest& script_under_test(const std::string& name_or_path) {
  static std::map<std::string, ScriptUnderTest> known;
  const auto found = known.find(name_or_path);
  if (found != known.end()) return found->second;
  auto script = find_script(name_or_path);
  if (const auto* problem = std::get_if<ScriptProblem>(&script)) FAIL(problem->text);
  return known.emplace(name_or_path, std::get<ScriptUnderTest>(script)).first->second;
}

Scenario SmallWorld::scenario(Lane lane, std::size_t nodes) {
  Scenario scenario;
  scenario.name = "small world";
  for (std::size_t i = 0; i < nodes; ++i) scenario.nodes.emplace_back(1, static_cast<char>('a' + i));
  TableSettings table;
  table.name = "money";
  table.kind = "WAL";
  table.lane = lane;
  table.ttl_us = 100'000 * us_per_s;
  table.jitter_ppm = 0;
  scenario.tables.push_back(table);
  return scenario;
}

SmallWorld::SmallWorld(Scenario scenario, std::uint64_t seed)
    : scenario_(std::move(scenario)),
      strategy_(seed),
      world_(scenario_, strategy_, shared_interpreter(), script_under_test("coherence_drop")),
      steps_(world_) {
  world_.start();
}

}  // namespace cohsim
