// A fake runner and small scenarios, for the gate's own tests.
#pragma once

#include <string>
#include <utility>

#include "properties/gate.h"

namespace cohsim::fake {

inline Scenario scenario(std::string name) {
  Scenario made;
  made.path = "scenarios/" + name + ".lua";
  made.name = std::move(name);
  return made;
}

inline Scenario hazard(std::string name, std::string property) {
  Scenario made = scenario(std::move(name));
  made.expect.violates = std::move(property);
  return made;
}

/// A run in which everything held. Two seeds share each interleaving.
inline RunResult good(std::uint64_t seed) {
  RunResult result;
  result.seed = seed;
  result.hash = mix64(seed / 2 + 1);
  result.steps = 10 + seed % 3;
  result.virtual_us = 1000;
  result.exercised = {{"p", 1}, {"q", 0}};
  result.branches = {{"absent", 1}, {"kept", seed % 2}};
  result.faults = {{"crash", 0}, {"drop", 2}};
  result.measures = {{"staleness_us_max", seed}, {"messages", 3}};
  return result;
}

inline RunResult bad(std::uint64_t seed, std::string property) {
  RunResult result = good(seed);
  result.violations.push_back({std::move(property), 7, 1500, "row X held 2, message carried older 1, row was erased"});
  return result;
}

inline GateOptions options(std::uint64_t seeds, unsigned jobs = 2) {
  GateOptions made;
  made.settings.seeds = seeds;
  made.jobs = jobs;
  made.today = "2026-06-01";
  made.properties = {"p", "q", "never_seen"};
  return made;
}

}  // namespace cohsim::fake
