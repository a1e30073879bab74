#include "properties/canary.h"

namespace cohsim {

Canary always_drop_canary() {
  Canary canary;
  canary.property = "no_newer_row_erased";
  Scenario& scenario = canary.scenario;
  scenario.name = "canary";
  scenario.path = "(built in)";
  scenario.about = "A script that always drops must be caught, or the gate cannot fail.";
  scenario.nodes = {"a", "b"};
  TableSettings table;
  table.name = "users";
  table.kind = "USR";
  table.names = 1;
  scenario.tables = {table};
  scenario.workload.operations = 60;
  scenario.workload.over_us = 5 * us_per_s;
  scenario.workload.mix = Mix{.put = 3, .fetch = 3, .invalidate = 0, .replay = 0, .compact = 0, .drop_l2 = 4};
  scenario.design.script = "canary:always_drop";
  scenario.expect.violates = canary.property;
  return canary;
}

}  // namespace cohsim
