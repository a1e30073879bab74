// The trace hashes of the bundled scenarios, pinned: a change that alters any trace shows here, on every compiler and
// optimisation level. `scripts/pin_hashes.sh` pins anew; the commit then says why.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "properties/bundled_scenarios.h"
#include "properties/run.h"
#include "testing/catch.h"

namespace {

using namespace cohsim;

constexpr std::uint64_t seeds = 5;
constexpr const char* pins_file = COHSIM_SOURCE_DIR "/properties/pinned_hashes.txt";

// One line a scenario: its name, and the hashes of seeds 1 to 5. A locale is of the machine, so those are left out.
std::string hashes_now() {
  std::string text;
  for (const Scenario& scenario : bundled_scenarios()) {
    if (scenario.design.collate != "C") continue;
    text += scenario.name;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) text += fmt::format(" {:016x}", run_once(scenario, seed, {}).hash);
    text += '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("every bundled scenario has the trace hashes that are pinned") {
  const std::string now = hashes_now();
  if (std::getenv("COHSIM_PIN") != nullptr) {
    std::ofstream(pins_file) << now;
    WARN("pinned anew in " << pins_file);
    return;
  }
  std::ifstream in(pins_file);
  const std::string pinned(std::istreambuf_iterator<char>(in), {});
  CHECK(now == pinned);
}
