// What no single key shows: contradictions between keys, and scenarios in which nothing would run.
#include <algorithm>

#include "model/scenario_fields.h"

namespace cohsim::scenario_file {

namespace {

bool any_lane(const Scenario& scenario, Lane lane) {
  return std::any_of(scenario.tables.begin(), scenario.tables.end(), [&](const auto& t) { return t.lane == lane; });
}

void judge_runs(Reading& reading, const Scenario& scenario) {
  if (!reading.has("nodes")) {
    reading.problem("nodes", "missing; name the nodes, as in nodes = { \"a\", \"b\" }");
  } else if (scenario.nodes.empty() && !reading.failed("nodes")) {
    reading.problem("nodes", "is empty; a scenario needs a node");
  }
  if (scenario.workload.operations == 0 && !reading.failed("workload") && !reading.has("steps")) {
    reading.problem("", "nothing runs here; give it workload = { operations = … } or steps = function(s) … end");
  }
  if (scenario.workload.operations > 0 && !reading.has("tables")) {
    reading.problem("tables", "missing; the workload needs a table, as in tables = { users = { kind = \"USR\" } }");
  }
  if (reading.has("tables") && scenario.tables.empty() && scenario.workload.operations > 0 &&
      !reading.failed("tables")) {
    reading.problem("tables", "is empty; the workload needs a table");
  }
}

void judge_workload(Reading& reading, const Scenario& scenario) {
  const WorkloadSettings& workload = scenario.workload;
  const Mix& mix = workload.mix;
  const std::uint64_t weights = std::uint64_t{mix.put} + mix.fetch + mix.invalidate + mix.replay + mix.compact +
                                mix.drop_l2 + mix.message + mix.corrupt;
  if (reading.has("workload.mix") && weights == 0 && !reading.failed("workload.mix"))
    reading.problem("workload.mix", "at least one weight must be above 0");
  if (workload.operations == 0 && !reading.failed("workload.operations")) {
    for (const char* key : {"workload.mix", "workload.over", "burst"}) {
      if (reading.has(key)) reading.problem(key, "has no effect without workload.operations");
    }
  }
  if (any_lane(scenario, Lane::job) || reading.failed("tables")) return;
  const auto job_only = [&](const char* key, bool set) {
    if (set) reading.problem(key, "has no effect without a table whose lane is \"job\"");
  };
  job_only("workload.mix.replay", mix.replay > 0);
  job_only("workload.mix.compact", mix.compact > 0);
  job_only("token", scenario.design.token == JobToken::unique);
  job_only("fanout", scenario.design.fanout == Fanout::per_node);
  job_only("journal", scenario.design.journal == JournalKind::sqlite);
}

void judge_design(Reading& reading, const Scenario& scenario) {
  const Design& design = scenario.design;
  if (design.after_drop == AfterDrop::floor && design.fill_write != FillWrite::newer_only) {
    reading.problem("after_drop", "a floor has no effect without fill_write = \"newer_only\": no other fill looks at it");
  }
  const bool numbered = !design.node_numbers.empty() && !reading.failed("node_numbers");
  if (numbered && design.node_numbers.size() != scenario.nodes.size()) {
    reading.problem("node_numbers", "wants one number for each of the " + std::to_string(scenario.nodes.size()) + " nodes");
  }
}

void judge_property(Reading& reading, const std::string& key, const std::string& name, const Scenario& scenario) {
  const std::vector<std::string>& known = reading.known.properties;
  const std::vector<std::string>& own = scenario.invariants;
  if (known.empty() || name == "expectation" || std::find(own.begin(), own.end(), name) != own.end() ||
      std::find(known.begin(), known.end(), name) != known.end()) {
    return;
  }
  const std::string meant = nearest(name, known);
  reading.problem(key, "'" + name + "' is no property" +
                           (meant.empty() ? "; `cohsim list` names them" : "; did you mean '" + meant + "'?"));
}

void judge_expectation(Reading& reading, const Scenario& scenario) {
  const auto each = [&](const std::string& key, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      judge_property(reading, key + "[" + std::to_string(i + 1) + "]", names[i], scenario);
    }
  };
  each("check", scenario.check);
  each("expect.also", scenario.expect.also);
  const auto names_it = [](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), "staleness_bounded") != names.end();
  };
  const bool bounded = names_it(scenario.check) || names_it(scenario.expect.also) ||
                       scenario.expect.violates == "staleness_bounded";
  const bool unread = reading.failed("staleness_bound") || reading.failed("check") || reading.failed("expect");
  if (reading.has("staleness_bound") && !bounded && !unread) {
    reading.problem("staleness_bound", "has no effect unless `check` or `expect` names staleness_bounded");
  }
  for (const std::string& name : scenario.invariants) {
    const std::vector<std::string>& known = reading.known.properties;
    if (name == "expectation" || std::find(known.begin(), known.end(), name) != known.end()) {
      reading.problem("invariants." + name, "is the name of a property already; take another");
    }
  }
  if (!scenario.expect.violates) return;
  const std::string& violates = *scenario.expect.violates;
  judge_property(reading, "expect.violates", violates, scenario);
  if (std::find(scenario.expect.also.begin(), scenario.expect.also.end(), violates) != scenario.expect.also.end()) {
    reading.problem("expect.also", "'" + violates + "' is named by violates already");
  }
}

/// The folder that says what a verdict must be: the innermost of that kind, since a whole checkout may lie in a `hazards/`.
std::string_view verdict_folder(std::string_view path) {
  for (std::size_t end = path.rfind('/'); end != std::string_view::npos; end = path.rfind('/')) {
    path = path.substr(0, end);
    const std::size_t above = path.rfind('/');
    const std::string_view folder = above == std::string_view::npos ? path : path.substr(above + 1);
    if (folder == "guarantees" || folder == "hazards" || folder == "regressions") return folder;
  }
  return {};
}

void judge_folder(Reading& reading, const Scenario& scenario) {
  const bool violates = scenario.expect.violates.has_value();
  const std::string_view folder = verdict_folder(reading.file);
  if (folder == "guarantees" && violates) {
    reading.problem("expect", "a scenario in guarantees/ must hold; one that violates belongs in hazards/");
  }
  if (folder == "hazards" && !violates && !reading.failed("expect")) {
    reading.problem("expect",
                    "a scenario in hazards/ must say what it violates; one that holds belongs in guarantees/");
  }
}

}  // namespace

void judge_whole(Reading& reading, const Scenario& scenario) {
  judge_runs(reading, scenario);
  judge_workload(reading, scenario);
  judge_faults(reading, scenario);
  judge_design(reading, scenario);
  judge_expectation(reading, scenario);
  judge_folder(reading, scenario);
}

}  // namespace cohsim::scenario_file
