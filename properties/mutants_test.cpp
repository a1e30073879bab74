// A gate that can fail: every broken script is caught over the bundled scenarios, by the property that its file names.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "properties/bundled_scenarios.h"
#include "properties/run.h"
#include "testing/catch.h"

namespace {

using namespace cohsim;

constexpr std::uint64_t seeds = 3;

std::vector<std::filesystem::path> mutants() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(COHSIM_SOURCE_DIR "/properties/mutants")) {
    if (entry.path().extension() == ".lua") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string named_property(const std::filesystem::path& file) {
  std::ifstream in(file);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const std::string mark = "-- violates: ";
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return {};
  return text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
}

/// All that is violated, or, where one property is wanted, no more than what is violated before it and it.
std::set<std::string> violated_with(const std::string& script, const std::string& wanted = {}) {
  std::set<std::string> violated;
  // Scripted ones first: they are short, and made for one branch of the script each.
  std::vector<Scenario> scenarios = bundled_scenarios();
  std::stable_partition(scenarios.begin(), scenarios.end(), [](const Scenario& each) { return each.has_steps; });
  for (Scenario& scenario : scenarios) {
    if (scenario.expect.violates || !runs_here(scenario)) continue;
    if (scenario.design.script != Design{}.script) continue;  // about a script of its own
    scenario.design.script = script;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      for (const Violation& violation : run_once(scenario, seed, {}).violations) violated.insert(violation.property);
      if (violated.contains(wanted)) return violated;
    }
  }
  return violated;
}

}  // namespace

TEST_CASE("the script itself violates nothing") { REQUIRE(violated_with("coherence_drop").empty()); }

TEST_CASE("every broken script is caught, and the right property named") {
  REQUIRE(mutants().size() >= 14);
  for (const auto& file : mutants()) {
    const std::string property = named_property(file);
    INFO(file << " must violate " << property);
    REQUIRE(find_property(property) != nullptr);
    const std::set<std::string> violated = violated_with(file.string(), property);
    CHECK(violated.contains(property));
  }
}

TEST_CASE("the canary's script is caught") { REQUIRE(violated_with("canary:always_drop", "no_newer_row_erased").contains("no_newer_row_erased")); }
