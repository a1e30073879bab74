// The world as a whole: determinism, crashes, settle, operations, and sizes that stay bounded.
#include "testing/catch.h"

#include <set>

#include "model/test_world.h"

namespace cohsim::test {

namespace {

struct Outcome {
  std::uint64_t hash = 0, events = 0, crashes = 0, up_at_end = 0;
};

/// One whole run of `scenario`; `look` is called after every step.
Outcome run(const Scenario& scenario, std::uint64_t seed, TraceSink* sink = nullptr,
            const std::function<void(World&)>& look = {}) {
  RandomStrategy strategy(seed);
  World world(scenario, strategy, interpreter(), bundled_script());
  Workload workload(world);
  EventLog log;
  world.trace().listen(sink);
  if (look) world.after_step = [&] { look(world); };
  world.start();
  workload.start();
  while (!workload.done()) world.step(world.scheduler().next_due());
  world.settle(true);
  Outcome outcome{world.trace().hash(), world.trace().events(), 0, 0};
  for (const Actor node : world.node_actors()) outcome.up_at_end += world.node_up(node);
  return outcome;
}

}  // namespace

TEST_CASE("world: one seed is one run, whoever listens, another seed is another") {
  const Scenario scenario = stormy();
  EventLog log;
  const Outcome first = run(scenario, 1), again = run(scenario, 1, &log), other = run(scenario, 2);
  CHECK(first.hash == again.hash);
  CHECK(first.events == log.lines.size());
  CHECK(first.hash != other.hash);
  CHECK(first.up_at_end == 3);
  CHECK(log.count("node crashed", {"power=0"}) > 0);
  CHECK(log.count("node crashed", {"power=1"}) > 0);
}

TEST_CASE("world: sizes that must stay bounded do, over hundreds of thousands of events of a stormy run") {
  Scenario scenario = stormy();
  scenario.workload = {30'000, 1500 * us_per_s, {3, 10, 1, 1, 3, 2, 1, 1}};
  scenario.faults.nodes.crash = 300'000;
  std::size_t fibers = 0, connections = 0, operations = 0, messages = 0;
  const Outcome outcome = run(scenario, 3, nullptr, [&](World& world) {
    fibers = std::max(fibers, world.scheduler().fibers());
    connections = std::max(connections, world.network().connections());
    operations = std::max(operations, world.operations().size());
    messages = std::max(messages, world.network().messages().size());
  });
  CHECK(outcome.events > 200'000);
  CHECK(fibers < 250);
  CHECK(connections < 20);
  CHECK(operations == 0);
  CHECK(messages < 200);
}

TEST_CASE("world: a crash takes the node's memory, keeps its disk, and others do not notice") {
  TestWorld t(scenario_on(Lane::job));
  t.put(a, "v");
  t.fetch(b);
  t.steps.crash(a, false);
  CHECK_FALSE(t.world.node_up(a));
  CHECK(t.world.l1_row(a, 0, t.name().id) == nullptr);
  CHECK(t.world.journal(a, 0) == nullptr);
  CHECK(t.l1(b) != nullptr);
  t.steps.restart(a);
  CHECK(t.world.l1_ids(a, 0).empty());
  CHECK(t.world.journal(a, 0)->intents.size() == 1);
}

TEST_CASE("world: a clock that stepped back and a restart together mint the past again, either alone does not") {
  TestWorld t(scenario_on(Lane::none));
  t.steps.advance(us_per_s);
  const std::string version = t.steps.mint(a, "USR");
  SECTION("stepped back: it mints on from its cell") {
    t.steps.clock(a, -us_per_s);
    CHECK(newer(t.steps.mint(a, "USR"), version));
  }
  SECTION("restarted: it starts from its clock") {
    t.steps.crash(a, false);
    t.steps.advance(us_per_ms);
    t.steps.restart(a);
    CHECK(newer(t.steps.mint(a, "USR"), version));
  }
  SECTION("both") {
    t.steps.crash(a, false);
    t.steps.clock(a, -us_per_s);
    t.steps.restart(a);
    CHECK(newer(version, t.steps.mint(a, "USR")));
  }
}

TEST_CASE("world: a generator that keeps a mark mints on above it, after both kinds of crash, wherever its clock is") {
  Scenario scenario = scenario_on(Lane::job);
  scenario.design.mint = MintCell::persisted;
  const bool power = GENERATE(false, true);
  TestWorld t(scenario);
  std::string newest;
  for (int life = 0; life < 3; ++life) {
    for (const DurationUs pause : {0L, 500L, 2'000'000L}) {  // more often than the clock ticks, and past the mark
      t.steps.advance(pause);
      const std::string version = t.steps.mint(a, "USR");
      CHECK(newer(version, newest));
      newest = version;
    }
    t.steps.crash(a, power);
    t.steps.clock(a, -20 * us_per_s);
    t.steps.restart(a);
  }
  t.steps.clock(a, 600 * us_per_s);
  CHECK(newer(t.steps.mint(a, "USR"), newest));
  CHECK(newer(t.steps.mint(a, "USR"), t.steps.mint(b, "USR")));  // whoever was ahead of the others stays so
}

TEST_CASE("world: nodes mint with the numbers that they are given") {
  Scenario scenario = scenario_on(Lane::none);
  scenario.design.node_numbers = {7, 7};
  TestWorld t(scenario);
  const std::string version = t.steps.mint(a, "USR");
  CHECK((*snowflake_of(version) >> 12 & 0x3ff) == 7);
  CHECK(t.steps.mint(b, "USR") == version);
}

TEST_CASE("settle: rows live on, but what had expired before does not come back, everything owed is brought in") {
  Scenario scenario = scenario_on(Lane::job);
  scenario.tables[0].sweep_us = 600 * us_per_s;
  TestWorld t(scenario);
  t.put(a, "expired", 1);
  t.steps.advance(10 * us_per_s);
  t.put(a, "lives", 2);
  t.steps.crash(b, false);
  t.steps.partition(a, actor_server);
  t.steps.put(a, t.name(3), "failed", std::nullopt);
  t.put(a, "lives", 2);
  t.world.settle(true);
  CHECK(t.l1(a, 1) == nullptr);
  CHECK_FALSE(t.l2(1));
  CHECK(t.l2(2));
  CHECK(t.world.node_up(b));
  CHECK(t.world.jobs().empty());
  CHECK(t.log.count("settle ended") == 1);
}

TEST_CASE("settle: ends also when an operation is stopped and a message is held, and only a final one sets them free") {
  TestWorld t(scenario_on(Lane::broadcast));
  t.put(a, "v");
  t.steps.hold({});
  const OperationState stopped = t.steps.fetch(b, t.name(), Point::l1_insert);
  t.put(a, "w");
  t.world.settle(false);
  CHECK(t.steps.state_of(stopped.operation).stopped_before == "l1.insert");
  CHECK(t.world.network().held() == 2);
  t.world.settle(true);
  CHECK(t.steps.state_of(stopped.operation).ended);
  CHECK(t.world.network().held() == 0);
}

TEST_CASE("operations: stop, resume to another point, resume to the end, a crash ends them as crashed") {
  TestWorld t(scenario_on(Lane::none));
  const OperationState put = t.steps.put(a, t.name(), "v", Point::write_commit);
  CHECK((put.stopped_before == "write.commit" && !put.ended));
  CHECK(t.world.truth(0, t.name().id) == nullptr);
  CHECK(t.steps.resume(put.operation, Point::put_l1).stopped_before == "put.l1");
  CHECK((t.l2() && t.l1(a) == nullptr));
  CHECK(t.steps.resume(put.operation, std::nullopt).outcome == "ok");
  CHECK(t.l1(a) != nullptr);
  for (const char* point : {"point=write.commit", "point=put.l1"}) {
    CHECK(t.log.count("stopped", {point}) == 1);
    CHECK(t.log.count("resumed", {point}) == 1);
  }
  const OperationState other = t.steps.put(a, t.name(), "w", Point::put_set);
  t.steps.crash(a, false);
  CHECK(t.steps.state_of(other.operation).outcome == "crashed");
  CHECK_FALSE(t.world.operations().any_stopped());
}

TEST_CASE("operations: stop_next stops whatever comes, keeps that fiber when resumed with another point, and lets it end") {
  TestWorld t(scenario_on(Lane::broadcast));
  t.put(a, "v");
  t.fetch(b);
  const OperationState stopped = t.steps.stop_next(b, Point::ring_apply);
  t.put(a, "w");
  t.steps.advance(us_per_s / 10);
  CHECK(t.steps.state_of(stopped.operation).stopped_before == "ring.apply");
  t.world.scheduler().spawn(b, operation::drop_l2(t.world, b, 0, t.name().id, "USR00000000001", 0));
  CHECK(t.steps.resume(stopped.operation, Point::apply_l1).stopped_before == "apply.l1");
  CHECK(t.l1(b)->value == "v");
  CHECK(t.steps.resume(stopped.operation, std::nullopt).ended);
  t.steps.advance(us_per_s / 10);
  CHECK(t.l1(b) == nullptr);
}

TEST_CASE("faults: a drawn crash lands on the drawn await, and the node comes back") {
  std::set<std::string> before_crash;
  for (std::uint64_t await = 0; await < 30; ++await) {
    Scenario scenario = scenario_on(Lane::job);
    scenario.faults.nodes.crash = 1;
    TestWorld t(scenario, [&](ScriptedStrategy& strategy) {
      strategy.answers[Site::crash] = {1};
      strategy.answers[Site::crash_landing] = {await};
    });
    t.world.scheduler().spawn(a, operation::put(t.world, a, 0, t.name().id, "v", 0));
    t.steps.advance(5 * us_per_s);
    REQUIRE(t.log.count("node crashed") == 1);
    const auto crash = std::find_if(t.log.lines.begin(), t.log.lines.end(),
                                    [](const std::string& line) { return line.starts_with("connection broke"); });
    before_crash.insert((crash - 1)->substr(0, (crash - 1)->find(' ', 10)));
    CHECK(t.world.node_up(a));
  }
  CHECK(before_crash.size() >= 6);  // distinct places in the protocol
}

}  // namespace cohsim::test
