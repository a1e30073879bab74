#include "reports/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/commands.h"
#include "reports/escape.h"

namespace cohsim {
namespace {

using Json = nlohmann::ordered_json;

std::string hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::string_view name_of(Ended ended) {
  switch (ended) {
    case Ended::whole: return "whole";
    case Ended::budget: return "budget";
    case Ended::fail_fast: return "fail_fast";
    case Ended::interrupted: return "interrupted";
  }
  return "?";
}

Json counts(const Counts& values) {
  Json object = Json::object();
  for (const auto& [name, count] : values) object[one_line(name)] = count;
  return object;
}

Json settings_of(const GateSettings& settings) {
  return Json{{"seeds", settings.seeds},
              {"from", settings.from},
              {"shard", {{"index", settings.shard.index}, {"count", settings.shard.count}}},
              {"only", settings.only},
              {"strict", settings.strict},
              {"verify_determinism", settings.verify_determinism},
              {"changes", settings.changes}};
}

Json properties_of(const ScenarioResult& scenario) {
  Json object = Json::object();
  for (const auto& [name, tally] : scenario.properties) {
    Json entry{{"exercised", tally.exercised}, {"failing_seeds", tally.failing_seeds}, {"expected", tally.allowed}};
    if (tally.first) {
      const Violation& violation = tally.first->violation;
      entry["first"] = Json{{"seed", tally.first->seed},
                            {"step", violation.step},
                            {"at_us", violation.at},
                            {"sentence", one_line(violation.sentence)}};
    }
    object[one_line(name)] = std::move(entry);
  }
  return object;
}

Json failures(const GateSettings& settings, const ScenarioResult& scenario) {
  Json list = Json::array();
  for (const auto& failure : failures_of(settings, scenario)) {
    Json entry{{"title", failure.title}, {"sentence", failure.sentence}};
    if (!failure.replay.empty()) {
      entry["seed"] = failure.seed;
      entry["replay"] = failure.replay;
    }
    if (!failure.shrink.empty()) entry["shrink"] = failure.shrink;
    list.push_back(std::move(entry));
  }
  return list;
}

Json scenario_of(const GateSettings& settings, const ScenarioResult& scenario) {
  Json object{{"name", one_line(scenario.name)}, {"path", one_line(scenario.path)}, {"about", one_line(scenario.about)}};
  object["expects"] = scenario.violates ? Json{{"violates", *scenario.violates}} : Json("holds");
  object["verdict"] = name_of(scenario.verdict);
  object["exit_code"] = to_int(scenario.exit_code);
  object["quarantined"] = scenario.quarantined;
  if (scenario.quarantine) {
    object["quarantine"] = Json{{"until", scenario.quarantine->until}, {"because", one_line(scenario.quarantine->because)}};
  }
  object["reason"] = one_line(scenario.reason);
  object["seeds"] = Json{{"first", scenario.seeds.first}, {"stride", scenario.seeds.stride},
                         {"planned", scenario.seeds.count}, {"run", scenario.runs}};
  object["steps"] = scenario.steps;
  object["virtual_us"] = scenario.virtual_us;
  object["distinct_interleavings"] = scenario.hashes.size();
  object["results_hash"] = hex(scenario.results_hash);
  if (settings.shard.count > 1) {
    Json hashes = Json::array();
    for (const auto hash : scenario.hashes) hashes.push_back(hex(hash));
    object["hashes"] = std::move(hashes);
  }
  object["properties"] = properties_of(scenario);
  object["branches"] = counts(scenario.branches);
  object["faults"] = counts(scenario.faults);
  object["measures"] = counts(scenario.measures);
  object["staleness_us"] = counts(scenario.staleness);
  object["crashes_at"] = counts(scenario.crash_places);
  object["faulty_runs"] = scenario.faulty_runs;
  object["failures"] = failures(settings, scenario);
  return object;
}

}  // namespace

std::string json_report(const GateResult& result) {
  Json root{{"report", "cohsim gate"}, {"version", json_report_version}};
  root["partial"] = result.partial();
  root["ended"] = name_of(result.ended);
  root["exit_code"] = to_int(result.exit_code);
  root["settings"] = settings_of(result.settings);
  root["canary"] = Json{{"wanted", result.canary.wanted},
                        {"alive", result.canary.alive},
                        {"property", result.canary.property},
                        {"sentence", one_line(result.canary.sentence)}};
  root["runs"] = result.runs;
  root["steps"] = result.steps;
  root["virtual_us"] = result.virtual_us;
  root["results_hash"] = hex(result.results_hash);
  root["exercised"] = counts(result.exercised);
  root["branches"] = counts(result.branches);
  root["faults"] = counts(result.faults);
  root["measures"] = counts(result.measures);
  root["staleness_us"] = counts(result.staleness);
  root["crashes_at"] = counts(result.crash_places);
  root["in_progress"] = result.in_progress;
  root["scenarios"] = Json::array();
  for (const auto& scenario : result.scenarios) root["scenarios"].push_back(scenario_of(result.settings, scenario));
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cohsim
