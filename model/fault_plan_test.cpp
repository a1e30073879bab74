#include "model/fault_plan.h"

#include "model/scenario.h"
#include "testing/catch.h"

using namespace cohsim;

namespace {

constexpr Actor a = actor_first_node, b = actor_first_node + 1;

Scenario two_nodes() {
  Scenario scenario;
  scenario.nodes = {"a", "b"};
  scenario.tables.resize(2);
  scenario.tables[0].name = "money";
  scenario.tables[1].name = "users";
  return scenario;
}

Message message(Actor from, Actor to, std::uint16_t table, Lane lane) {
  Message made;
  made.from = from;
  made.to = to;
  made.table = table;
  made.lane = static_cast<std::uint8_t>(lane);
  return made;
}

}  // namespace

TEST_CASE("a group without an aim strikes everybody, at any time, while the plan is on") {
  Scenario scenario = two_nodes();
  scenario.faults.nodes.crash = 7;
  FaultPlan plan(scenario);
  CHECK(plan.nodes(0, a).crash == 0);
  plan.turn(true);
  CHECK(plan.nodes(0, a).crash == 7);
  CHECK(plan.nodes(us_per_s * 1'000, b).crash == 7);
  plan.turn(false);
  CHECK(plan.nodes(0, a).crash == 0);
}

TEST_CASE("a window begins with its first microsecond and ends before its last") {
  Scenario scenario = two_nodes();
  scenario.faults.valkey.restart = 7;
  scenario.faults.valkey.aim.during = DurationRange{100, 200};
  FaultPlan plan(scenario);
  plan.turn(true);
  CHECK(plan.valkey(99, actor_server).restart == 0);
  CHECK(plan.valkey(100, actor_server).restart == 7);
  CHECK(plan.valkey(199, actor_server).restart == 7);
  CHECK(plan.valkey(200, actor_server).restart == 0);
}

TEST_CASE("of several groups the first that is aimed at what happens strikes") {
  Scenario scenario = two_nodes();
  scenario.faults.nodes.pause = 1;
  scenario.faults.nodes.aim.nodes = {"b"};
  scenario.faults.nodes.more = {NodeFaults{.pause = 2, .aim = {.during = DurationRange{0, 50}}}, NodeFaults{.pause = 3}};
  FaultPlan plan(scenario);
  plan.turn(true);
  CHECK(plan.nodes(0, b).pause == 1);
  CHECK(plan.nodes(0, a).pause == 2);
  CHECK(plan.nodes(50, a).pause == 3);
}

TEST_CASE("messages are aimed at by sender, receiver, table and kind, all of which must fit") {
  Scenario scenario = two_nodes();
  scenario.faults.messages.drop = 1;
  scenario.faults.messages.aim = {.nodes = {"b"}, .from = {"a", "world"}, .tables = {"users"}, .kinds = {"broadcast"}};
  FaultPlan plan(scenario);
  plan.turn(true);
  CHECK(plan.messages(0, message(a, b, 1, Lane::broadcast)).drop == 1);
  CHECK(plan.messages(0, message(actor_world, b, 1, Lane::broadcast)).drop == 1);
  CHECK(plan.messages(0, message(b, b, 1, Lane::broadcast)).drop == 0);
  CHECK(plan.messages(0, message(actor_server, b, 1, Lane::broadcast)).drop == 0);
  CHECK(plan.messages(0, message(a, a, 1, Lane::broadcast)).drop == 0);
  CHECK(plan.messages(0, message(a, b, 0, Lane::broadcast)).drop == 0);
  CHECK(plan.messages(0, message(a, b, 1, Lane::job)).drop == 0);
}

TEST_CASE("handlers and loads are aimed at by node and table") {
  Scenario scenario = two_nodes();
  scenario.faults.handlers.fail = 1;
  scenario.faults.handlers.aim.tables = {"money"};
  scenario.faults.loader.fail = 1;
  scenario.faults.loader.aim.nodes = {"a"};
  scenario.faults.disks.torn = 1;
  scenario.faults.disks.aim.nodes = {"b"};
  FaultPlan plan(scenario);
  plan.turn(true);
  CHECK(plan.handlers(0, a, 0).fail == 1);
  CHECK(plan.handlers(0, a, 1).fail == 0);
  CHECK(plan.loader(0, a, 1).fail == 1);
  CHECK(plan.loader(0, b, 1).fail == 0);
  CHECK(plan.disks(0, b).torn == 1);
  CHECK(plan.disks(0, a).torn == 0);
}
