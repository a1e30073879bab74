// One gate result with every kind of outcome in it, for the tests of all formats.
#pragma once

#include "properties/gate_fake.h"
#include "properties/tally.h"
#include "properties/verdict.h"

namespace cohsim {

inline GateResult sample_result() {
  GateResult gate;
  gate.settings.seeds = 4;
  gate.settings.changes = {"--script", "my scripts/drop.lua"};
  const auto add = [&](const Scenario& scenario, std::vector<RunOutcome> outcomes, const std::string& skipped = {}) {
    ScenarioResult result = start_tally(scenario, SeedPlan{1, 1, outcomes.size()});
    for (auto& outcome : outcomes) add_outcome(result, std::move(outcome));
    finish_tally(result);
    judge(result, scenario, gate.settings, Ended::whole, "2026-06-01", skipped);
    gate.scenarios.push_back(std::move(result));
  };
  using fake::bad, fake::good;
  add(fake::scenario("calm"), {{good(1), {}}, {good(2), {}}});
  add(fake::hazard("late_message", "p"), {{bad(1, "p"), {}}, {good(2), {}}});
  Scenario erased = fake::scenario("erased_by_an_older_message_of_long_name");
  RunResult odd = bad(3, "no_newer_row_erased");
  odd.violations[0].sentence = "row <USR&1> held \"2\" | \x01\xff older 1";
  add(erased, {{good(2), {}}, {odd, {}}, {bad(4, "no_newer_row_erased"), {}}});
  add(fake::hazard("vanished", "q"), {{good(1), {}}});
  Scenario excused = fake::scenario("excused");
  excused.quarantine = Quarantine{"2026-12-31", "known; mended next"};
  add(excused, {{bad(1, "q"), {}}});
  add(fake::scenario("elsewhere"), {}, "this machine has no locale 'en_US.UTF-8' (collate)");
  Scenario crashing = fake::scenario("crashing");
  RunOutcome crash{{}, "the worker died of signal 11 (SIGSEGV)"};
  crash.result.seed = 2;
  add(crashing, {{good(1), {}}, crash});
  RunResult broken = good(1);
  broken.broken_scenario = "scenarios/typo.lua:9: attempt to call a nil value";
  add(fake::scenario("typo"), {{broken, {}}});
  RunResult idle = good(1);
  idle.exercised = {{"p", 0}};
  add(fake::scenario("idle"), {{idle, {}}});
  gate.canary = {true, true, "no_newer_row_erased", "row X was erased"};
  add_totals(gate, {"never_seen", "p"});
  gate.exit_code = judge_gate(gate);
  return gate;
}

}  // namespace cohsim
