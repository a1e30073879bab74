#include "properties/verdict.h"

#include "properties/gate_fake.h"
#include "properties/tally.h"
#include "testing/catch.h"

using namespace cohsim;
using fake::bad;
using fake::good;

namespace {

struct Case {
  Scenario scenario = fake::scenario("s");
  GateSettings settings = {};
  Ended ended = Ended::whole;
  std::string today = "2026-06-01", skipped = {};
  std::vector<RunResult> runs = {};
  std::uint64_t planned = 0;  // 0: as many as ran
};

ScenarioResult judged(const Case& c) {
  const std::uint64_t planned = c.planned != 0 ? c.planned : c.runs.size();
  ScenarioResult result = start_tally(c.scenario, SeedPlan{1, 1, planned});
  for (const auto& run : c.runs) add_outcome(result, {run, {}});
  finish_tally(result);
  judge(result, c.scenario, c.settings, c.ended, c.today, c.skipped);
  return result;
}

void expect(const Case& c, ScenarioVerdict verdict, ExitCode code) {
  const ScenarioResult result = judged(c);
  INFO(result.reason);
  CHECK(name_of(result.verdict) == name_of(verdict));
  CHECK(to_int(result.exit_code) == to_int(code));
}

}  // namespace

TEST_CASE("a scenario that holds") {
  Case c{.runs = {good(1), good(2)}};
  expect(c, ScenarioVerdict::held, ExitCode::ok);
  c.runs.push_back(bad(3, "p"));
  expect(c, ScenarioVerdict::violated, ExitCode::failed);
}

TEST_CASE("a hazard must show, and nothing else may") {
  Case c{.scenario = fake::hazard("s", "p"), .runs = {good(1), bad(2, "p")}};
  c.settings.seeds = 2;
  expect(c, ScenarioVerdict::violated_as_expected, ExitCode::ok);
  c.runs[0] = bad(1, "q");
  expect(c, ScenarioVerdict::violated, ExitCode::failed);
  c.scenario.expect.also = {"q"};
  expect(c, ScenarioVerdict::violated_as_expected, ExitCode::ok);
  c.runs[1] = good(2);  // only what may, not what must
  expect(c, ScenarioVerdict::not_violated, ExitCode::failed);
}

TEST_CASE("a vanished hazard is mended under changed settings") {
  Case c{.scenario = fake::hazard("s", "p"), .runs = {good(1)}};
  c.settings.seeds = 1;
  expect(c, ScenarioVerdict::not_violated, ExitCode::failed);
  c.settings.changes = {"--script", "f.lua"};
  expect(c, ScenarioVerdict::mended, ExitCode::ok);
  c.settings.strict = true;
  expect(c, ScenarioVerdict::mended, ExitCode::failed);
}

TEST_CASE("a hazard that a shard or a budget did not see is undecided") {
  Case c{.scenario = fake::hazard("s", "p"), .runs = {good(1)}};
  c.settings.shard = {1, 2};
  expect(c, ScenarioVerdict::undecided, ExitCode::undecided);
  c.runs.push_back(bad(3, "p"));
  expect(c, ScenarioVerdict::violated_as_expected, ExitCode::ok);
  Case cut{.scenario = fake::hazard("s", "p"), .ended = Ended::budget, .runs = {good(1)}, .planned = 2};
  expect(cut, ScenarioVerdict::undecided, ExitCode::undecided);
}

TEST_CASE("a budget changes which seeds run, never a verdict") {
  Case c{.ended = Ended::budget, .runs = {good(1)}, .planned = 5};
  expect(c, ScenarioVerdict::held, ExitCode::ok);
  c.settings.strict = true;
  expect(c, ScenarioVerdict::undecided, ExitCode::undecided);
  c.settings.strict = false;
  c.runs.clear();
  expect(c, ScenarioVerdict::undecided, ExitCode::undecided);
  c.runs = {good(1)};
  c.ended = Ended::interrupted;
  expect(c, ScenarioVerdict::undecided, ExitCode::undecided);
}

TEST_CASE("a green that tested nothing is not green") {
  RunResult idle = good(1);
  idle.exercised = {{"p", 0}};
  Case c{.runs = {idle}};
  expect(c, ScenarioVerdict::not_exercised, ExitCode::failed);
  c.settings.only = {"p"};
  expect(c, ScenarioVerdict::held, ExitCode::ok);

  Case asked{.runs = {good(1)}};
  asked.scenario.check = {"q"};
  expect(asked, ScenarioVerdict::not_exercised, ExitCode::ok);
  asked.settings.strict = true;
  expect(asked, ScenarioVerdict::not_exercised, ExitCode::failed);
}

TEST_CASE("broken scenarios and commands that are not simulated") {
  Case c{.runs = {good(1), good(2)}};
  c.runs[1].broken_scenario = "s.lua:3: attempt to index a nil value";
  expect(c, ScenarioVerdict::broken, ExitCode::usage);
  CHECK(judged(c).reason == "s.lua:3: attempt to index a nil value");
  c.runs[1] = good(2);
  c.runs[1].not_simulated = "HGET, called at user_script:3";
  expect(c, ScenarioVerdict::broken, ExitCode::usage);
}

TEST_CASE("a fault of the simulator outweighs everything") {
  Scenario scenario = fake::scenario("s");
  ScenarioResult result = start_tally(scenario, SeedPlan{1, 1, 2});
  add_outcome(result, {bad(1, "p"), {}});
  RunOutcome fault;
  fault.result.seed = 2;
  fault.fault = "the worker died of signal 11 (SIGSEGV)";
  CHECK(add_outcome(result, fault));
  judge(result, scenario, {}, Ended::whole, "2026-06-01", "");
  CHECK(name_of(result.verdict) == "fault");
  CHECK(to_int(result.exit_code) == 3);
}

TEST_CASE("a quarantine excuses until its date, inclusive") {
  Case c{.runs = {bad(1, "p")}};
  c.scenario.quarantine = Quarantine{"2026-06-01", "being mended"};
  const ScenarioResult result = judged(c);
  CHECK(result.quarantined);
  CHECK(name_of(result.verdict) == "violated");
  CHECK(to_int(result.exit_code) == 0);
  c.today = "2026-06-02";
  expect(c, ScenarioVerdict::violated, ExitCode::failed);
  c.today = "2026-06-01";
  c.runs = {good(1)};
  CHECK_FALSE(judged(c).quarantined);
}

TEST_CASE("a skipped scenario shows, and is undecided under --strict") {
  Case c{.skipped = "no locale"};
  expect(c, ScenarioVerdict::skipped, ExitCode::ok);
  c.settings.strict = true;
  expect(c, ScenarioVerdict::skipped, ExitCode::undecided);
}

TEST_CASE("gate: --only judges one property: a hazard of another one need not show") {
  Case c{.scenario = fake::hazard("s", "q"), .runs = {good(1)}};
  c.settings.only = {"p"};
  expect(c, ScenarioVerdict::held, ExitCode::ok);
  c.settings.only = {"q"};
  expect(c, ScenarioVerdict::not_violated, ExitCode::failed);
}

TEST_CASE("exit codes: the worst one wins") {
  const ExitCode order[] = {ExitCode::ok,    ExitCode::undecided, ExitCode::failed,
                            ExitCode::usage, ExitCode::internal,  ExitCode::interrupted};
  for (int a = 0; a < 6; ++a) {
    for (int b = 0; b < 6; ++b) CHECK(to_int(worse(order[a], order[b])) == to_int(order[std::max(a, b)]));
  }
  GateResult result;
  CHECK(to_int(judge_gate(result)) == 0);
  result.canary.wanted = true;
  CHECK(to_int(judge_gate(result)) == 3);
  result.canary.alive = true;
  CHECK(to_int(judge_gate(result)) == 0);
  result.ended = Ended::interrupted;
  CHECK(to_int(judge_gate(result)) == 130);
}
