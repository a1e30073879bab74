#include "properties/verdict.h"

#include <fmt/format.h>

#include <algorithm>

namespace cohsim {
namespace {

struct Judgement {
  ScenarioVerdict verdict;
  ExitCode code;
  std::string reason;
};

bool is_judged(const GateSettings& settings, const std::string& property) {
  return settings.only.empty() ||
         std::find(settings.only.begin(), settings.only.end(), property) != settings.only.end();
}

std::string why_incomplete(const ScenarioResult& result, const GateSettings& settings, Ended ended) {
  switch (ended) {
    case Ended::budget: return fmt::format("the budget ended after {} of {} seeds", result.runs, result.seeds.count);
    case Ended::fail_fast: return fmt::format("stopped at the first failure, after {} of {} seeds", result.runs,
                                              result.seeds.count);
    case Ended::interrupted: return fmt::format("interrupted after {} of {} seeds", result.runs, result.seeds.count);
    case Ended::whole: break;
  }
  return fmt::format("none in shard {}/{}; `cohsim merge` judges all shards together", settings.shard.index,
                     settings.shard.count);
}

Judgement judge_hazard(const ScenarioResult& result, const GateSettings& settings, Ended ended) {
  const std::string& expected = *result.violates;
  const auto& tally = result.properties.at(expected);
  if (tally.failing_seeds > 0) {
    return {ScenarioVerdict::violated_as_expected, ExitCode::ok, {}};
  }
  if (!result.complete() || settings.shard.count > 1) {
    return {ScenarioVerdict::undecided, ExitCode::undecided,
            fmt::format("{} not violated yet: {}", expected, why_incomplete(result, settings, ended))};
  }
  const std::string none = fmt::format("{} was violated in none of seeds 1..{}", expected, settings.seeds);
  if (!settings.changes.empty()) {
    return {ScenarioVerdict::mended, settings.strict ? ExitCode::failed : ExitCode::ok,
            none + ", under changed settings"};
  }
  return {ScenarioVerdict::not_violated, ExitCode::failed,
          none + "; if the design was mended, let the scenario expect \"holds\""};
}

Judgement judge_guarantee(const ScenarioResult& result, const Scenario& scenario, const GateSettings& settings,
                          Ended ended) {
  if (result.runs == 0) {
    return {ScenarioVerdict::undecided, ExitCode::undecided, why_incomplete(result, settings, ended)};
  }
  // A budget changes which seeds run, never a verdict; whoever wants every seed says so.
  if (!result.complete() && (ended != Ended::budget || settings.strict)) {
    return {ScenarioVerdict::undecided, ExitCode::undecided, why_incomplete(result, settings, ended)};
  }
  const bool whole = result.complete() && settings.shard.count == 1 && settings.only.empty();
  std::uint64_t exercised = 0;
  for (const auto& [name, tally] : result.properties) exercised += tally.exercised;
  if (exercised == 0 && settings.only.empty()) {
    return {ScenarioVerdict::not_exercised, whole ? ExitCode::failed : ExitCode::undecided,
            "no checked property was put to the test in any seed"};
  }
  for (const auto& name : scenario.check) {
    const auto found = result.properties.find(name);
    if (!whole || (found != result.properties.end() && found->second.exercised > 0)) continue;
    // Whether random seeds reach it may be chance, and chance turns no build red.
    return {ScenarioVerdict::not_exercised, settings.strict ? ExitCode::failed : ExitCode::ok,
            fmt::format("{} is asked for, and was never put to the test", name)};
  }
  const std::string note =
      result.complete() ? std::string() : why_incomplete(result, settings, ended);
  return {ScenarioVerdict::held, ExitCode::ok, note};
}

Judgement judge_runs(const ScenarioResult& result, const Scenario& scenario, const GateSettings& settings, Ended ended) {
  if (result.faulty_runs > 0) {
    return {ScenarioVerdict::fault, ExitCode::internal,
            fmt::format("{} of {} runs ended in a fault of the simulator", result.faulty_runs, result.runs)};
  }
  if (!result.broken.empty()) return {ScenarioVerdict::broken, ExitCode::usage, result.broken};
  if (!result.not_simulated.empty()) {
    return {ScenarioVerdict::broken, ExitCode::usage,
            fmt::format("a command that the fake server does not simulate: {}", result.not_simulated)};
  }
  for (const auto& [name, tally] : result.properties) {
    if (tally.failing_seeds == 0 || tally.allowed) continue;
    return {ScenarioVerdict::violated, ExitCode::failed, {}};
  }
  if (result.violates && is_judged(settings, *result.violates)) return judge_hazard(result, settings, ended);
  return judge_guarantee(result, scenario, settings, ended);
}

}  // namespace

std::string_view text_of(ScenarioVerdict verdict) {
  switch (verdict) {
    case ScenarioVerdict::held: return "held";
    case ScenarioVerdict::violated_as_expected: return "violated as expected";
    case ScenarioVerdict::violated: return "VIOLATED";
    case ScenarioVerdict::not_violated: return "NOT VIOLATED";
    case ScenarioVerdict::mended: return "mended";
    case ScenarioVerdict::not_exercised: return "not exercised";
    case ScenarioVerdict::skipped: return "skipped";
    case ScenarioVerdict::undecided: return "undecided";
    case ScenarioVerdict::broken: return "BROKEN";
    case ScenarioVerdict::fault: return "FAULT";
  }
  return "?";
}

std::string_view name_of(ScenarioVerdict verdict) {
  switch (verdict) {
    case ScenarioVerdict::held: return "held";
    case ScenarioVerdict::violated_as_expected: return "violated_as_expected";
    case ScenarioVerdict::violated: return "violated";
    case ScenarioVerdict::not_violated: return "not_violated";
    case ScenarioVerdict::mended: return "mended";
    case ScenarioVerdict::not_exercised: return "not_exercised";
    case ScenarioVerdict::skipped: return "skipped";
    case ScenarioVerdict::undecided: return "undecided";
    case ScenarioVerdict::broken: return "broken";
    case ScenarioVerdict::fault: return "fault";
  }
  return "?";
}

void judge(ScenarioResult& result, const Scenario& scenario, const GateSettings& settings, Ended ended,
           const std::string& today, const std::string& skipped) {
  Judgement judgement = skipped.empty() ? judge_runs(result, scenario, settings, ended)
                                        : Judgement{ScenarioVerdict::skipped,
                                                    settings.strict ? ExitCode::undecided : ExitCode::ok, skipped};
  if (judgement.code == ExitCode::failed && is_excused(result, today)) {
    result.quarantined = true;
    judgement.code = ExitCode::ok;
  }
  result.verdict = judgement.verdict;
  result.exit_code = judgement.code;
  result.reason = std::move(judgement.reason);
}

bool is_excused(const ScenarioResult& result, const std::string& today) {
  return result.quarantine && today <= result.quarantine->until;
}

ExitCode judge_gate(const GateResult& result) {
  if (result.ended == Ended::interrupted) return ExitCode::interrupted;
  ExitCode code = ExitCode::ok;
  if (result.canary.wanted && !result.canary.alive) code = ExitCode::internal;
  for (const auto& scenario : result.scenarios) code = worse(code, scenario.exit_code);
  return code;
}

}  // namespace cohsim
