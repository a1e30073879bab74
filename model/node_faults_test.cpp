// Nodes that stand still, clocks that drift, subscribers that are cut off, loads and handlers that fail: by steps, and by
// rates.
#include "model/test_world.h"
#include "testing/catch.h"

using namespace cohsim;
using namespace cohsim::test;

namespace {

Scenario long_ttl(Lane lane) {
  Scenario scenario = scenario_on(lane);
  scenario.tables[0].ttl_us = 100 * us_per_s;
  scenario.tables[0].jitter_ppm = 0;
  return scenario;
}

}  // namespace

TEST_CASE("a node that stands still takes nothing, and finds all of it when it goes on") {
  TestWorld t(long_ttl(Lane::broadcast));
  t.put(a, "old");
  t.fetch(b);
  t.steps.pause(b, 20 * us_per_s);
  t.put(a, "new");
  t.steps.advance(19 * us_per_s);
  REQUIRE(t.l1(b) != nullptr);
  CHECK(t.l1(b)->value == "old");
  t.steps.advance(2 * us_per_s);
  CHECK(t.l1(b) == nullptr);
  CHECK(t.log.count("node paused", {"node=3", "span_us=20000000"}) == 1);
}

TEST_CASE("the rows of a node that stands still do not age, and its wall clock goes on") {
  Scenario scenario = long_ttl(Lane::none);
  scenario.tables[0].ttl_us = 5 * us_per_s;
  TestWorld t(scenario);
  t.put(a, "v");
  const std::int64_t before_ms = t.node(a).context().wall_ms();
  t.steps.pause(a, 60 * us_per_s);
  t.steps.advance(63 * us_per_s);
  CHECK(t.l1(a) != nullptr);
  CHECK(t.node(a).context().wall_ms() - before_ms >= 63'000);
  t.steps.advance(3 * us_per_s);
  CHECK(t.l1(a) == nullptr);
}

TEST_CASE("a pause longer than a lease makes its node's handler a zombie whose token is refused") {
  TestWorld t(long_ttl(Lane::job));
  const OperationState handler = t.steps.stop_next(b, Point::job_handle);
  t.steps.partition(a, actor_server);  // so that b claims
  t.steps.message({std::nullopt, b, 0, std::string(t.name().id) + ":" + t.steps.mint(a, "USR")});
  t.steps.advance(3 * us_per_s);
  REQUIRE(t.log.count("claim", {"node=3"}) == 1);
  t.steps.heal();
  t.steps.pause(b, 40 * us_per_s);
  t.steps.advance(35 * us_per_s);
  CHECK(t.log.count("claim", {"node=2"}) == 1);
  t.steps.advance(10 * us_per_s);
  t.steps.resume(handler.operation, std::nullopt);
  t.steps.advance(2 * us_per_s);
  CHECK(t.log.count("bus answered", {"node=3", "verb=complete", "outcome=stale"}) == 1);
}

TEST_CASE("a crash ends a pause: the next life of the node is not held") {
  TestWorld t(long_ttl(Lane::broadcast));
  t.steps.pause(a, 100 * us_per_s);
  t.steps.crash(a, false);
  t.steps.restart(a);
  CHECK(t.put(a, "v").outcome == "ok");
  CHECK(t.world.now() < 10 * us_per_s);
}

TEST_CASE("the rows of a node whose clocks run slow live longer, of one whose run fast shorter") {
  Scenario scenario = long_ttl(Lane::none);
  scenario.tables[0].ttl_us = 10 * us_per_s;
  TestWorld t(scenario);
  t.steps.drift(a, -500'000);
  t.steps.drift(b, 250'000);
  t.put(a, "v");
  t.fetch(b);
  t.steps.advance(9 * us_per_s);
  CHECK(t.l1(b) == nullptr);
  t.steps.advance(10 * us_per_s);
  CHECK(t.l1(a) != nullptr);
  t.steps.advance(2 * us_per_s);
  CHECK(t.l1(a) == nullptr);
}

TEST_CASE("a node whose wall clock runs fast mints ahead of the others") {
  TestWorld t(long_ttl(Lane::none));
  t.steps.drift(a, 500'000);
  t.steps.advance(10 * us_per_s);
  const std::string early = t.steps.mint(a, "USR");
  t.steps.advance(4 * us_per_s);
  CHECK(newer(early, t.steps.mint(b, "USR")));
}

TEST_CASE("a subscriber that is cut off misses what is published, and hears again when it is back") {
  TestWorld t(long_ttl(Lane::broadcast));
  t.put(a, "old");
  t.fetch(b);
  t.steps.away(b, 5 * us_per_s);
  t.put(a, "new");
  t.steps.advance(4 * us_per_s);
  REQUIRE(t.l1(b) != nullptr);
  CHECK(t.log.count("message dropped", {"to=3", "cause=away"}) == 1);
  t.steps.advance(2 * us_per_s);
  CHECK(t.l1(b) != nullptr);  // what was lost stays lost
  t.put(a, "newest");
  t.steps.advance(us_per_s);
  CHECK(t.l1(b) == nullptr);
}

TEST_CASE("a load that fails answers an error and leaves no row, and the next one is well") {
  TestWorld t(long_ttl(Lane::none));
  t.steps.commit(t.name(), "v");
  t.steps.fail_load(a);
  CHECK(t.fetch(a).outcome == "failed");
  CHECK_FALSE(t.l2().has_value());
  CHECK(t.l1(a) == nullptr);
  CHECK(t.fetch(a).outcome == "loaded");
  CHECK(t.log.count("loader struck", {"what=failed"}) == 1);
  CHECK(t.log.count("flight read", {"layer=source"}) == 1);  // a load that failed has seen nothing
}

TEST_CASE("a load that lags sees the source of truth as it was") {
  TestWorld t(long_ttl(Lane::none));
  t.steps.commit(t.name(), "old");
  t.steps.advance(10 * us_per_s);
  t.steps.commit(t.name(), "new");
  t.steps.advance(us_per_s);
  t.steps.source_lag(5 * us_per_s);
  CHECK(t.fetch(a).value == "old");
  t.steps.source_lag(60 * us_per_s);  // before there was anything
  CHECK(t.steps.fetch(b, t.name(2), std::nullopt).outcome == "absent");
  t.steps.source_lag(0);
  t.steps.invalidate(a, t.name(), std::nullopt);
  CHECK(t.fetch(a).value == "new");
}

TEST_CASE("a handler that is told to fail raises, and its job is tried again") {
  TestWorld t(long_ttl(Lane::job));
  t.steps.fail_handler(a, 1);
  t.steps.fail_handler(b, 1);
  t.put(a, "v");
  t.steps.advance(10 * us_per_s);
  CHECK(t.log.count("handler ended", {"raised=1", "the handler failed"}) >= 1);
  CHECK(t.world.jobs().empty());
}

TEST_CASE("a reset that a step asks for: the command never runs, runs unseen, or runs late") {
  for (const std::uint8_t outcome : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{3}}) {
    TestWorld t(long_ttl(Lane::none));
    t.steps.reset(a, outcome);
    CHECK(t.put(a, "v").outcome != "ok");
    CHECK(t.l2().has_value() == (outcome == 2));
    t.steps.advance(3 * us_per_s);
    CHECK(t.l2().has_value() == (outcome != 1));
    CHECK(t.put(a, "w").outcome == "ok");
  }
}

TEST_CASE("a loader that a rate strikes fails, is slow or lags, each counted by itself") {
  Scenario scenario = long_ttl(Lane::none);
  scenario.faults.loader = LoaderFaults{.fail = 1, .slow = 1, .slow_by = {us_per_s, us_per_s}, .stale = 1};
  TestWorld t(scenario, [](ScriptedStrategy& strategy) {
    strategy.answers[Site::loader_fail] = {1, 0, 0};
    strategy.answers[Site::loader_slow] = {0, 1, 0};
    strategy.answers[Site::loader_stale] = {0, 0, 1};
  });
  t.steps.commit(t.name(), "v");
  t.steps.advance(us_per_s);
  CHECK(t.fetch(a).outcome == "failed");
  const TimeUs before = t.world.now();
  CHECK(t.fetch(a).outcome == "loaded");
  CHECK(t.world.now() - before >= us_per_s);
  t.steps.invalidate(a, t.name(), std::nullopt);
  CHECK(t.fetch(a).outcome == "loaded");
  CHECK(t.log.count("loader struck") == 3);
}

TEST_CASE("pauses, drifts and absences by rate strike whom they are aimed at, and nobody while a settle lasts") {
  Scenario scenario = long_ttl(Lane::broadcast);
  scenario.faults.nodes = NodeFaults{.pause = ppm_one, .pause_for = {us_per_ms, us_per_ms}};
  scenario.faults.nodes.aim.nodes = {"a"};
  scenario.faults.connections = ConnectionFaults{.away = ppm_one, .away_for = {us_per_ms, us_per_ms}};
  scenario.faults.connections.aim.during = DurationRange{2 * us_per_s, 4 * us_per_s};
  scenario.faults.clocks.drift = ShareRange{10'000, 10'000};
  scenario.faults.clocks.aim.nodes = {"b"};
  TestWorld t(scenario, [](ScriptedStrategy& strategy) {
    strategy.answers[Site::node_pause] = std::deque<std::uint64_t>(100, 1);
    strategy.answers[Site::subscriber_away] = std::deque<std::uint64_t>(100, 1);
  });
  t.steps.advance(6 * us_per_s);
  const std::size_t paused = t.log.count("node paused", {"node=2"});
  CHECK(paused >= 5);
  CHECK(t.log.count("node paused", {"node=3"}) == 0);
  CHECK(t.log.count("connection broke", {"why=away"}) == 4);  // two nodes in two of the seconds
  CHECK(t.log.count("clock drifts", {"node=3", "ppm=10000"}) == 1);
  CHECK(t.log.count("clock drifts") == 1);
  t.steps.settle();
  CHECK(t.log.count("node paused", {"node=2"}) == paused);
}

TEST_CASE("what steps ask of loads and handlers rests while a settle lasts") {
  TestWorld t(long_ttl(Lane::job));
  t.steps.source_lag(60 * us_per_s);
  t.steps.fail_handler(a, 9);
  t.steps.fail_handler(b, 9);
  t.put(a, "v");
  t.steps.settle();
  CHECK(t.world.jobs().empty());
  CHECK(t.log.count("handler ended", {"raised=1"}) == 0);
  t.steps.advance(us_per_s);
  t.put(a, "w");
  t.steps.advance(4 * us_per_s);
  CHECK(t.log.count("handler ended", {"raised=1"}) >= 1);
}

TEST_CASE("partitions by rate: one way or both, as long as drawn, the longest counts, and none while a settle lasts") {
  for (const std::uint64_t way : {0, 1, 2}) {
    Scenario scenario = long_ttl(Lane::broadcast);
    scenario.faults.connections = ConnectionFaults{.partition = ppm_one, .partition_for = {0, 10 * us_per_s}};
    scenario.faults.connections.aim.nodes = {"a"};
    TestWorld t(scenario, [&](ScriptedStrategy& strategy) {
      strategy.answers[Site::partition] = {1, 1};
      strategy.answers[Site::partition_way] = {way, way};
      strategy.answers[Site::partition_span] = {4'500'000, 500'000};  // the second ends while the first lasts
    });
    t.steps.advance(2 * us_per_s);
    CHECK(t.world.network().cut(a, actor_server) == (way != 2));
    CHECK(t.world.network().cut(actor_server, a) == (way != 1));
    CHECK_FALSE(t.world.network().cut(b, actor_server));
    t.steps.advance(3 * us_per_s);
    CHECK_FALSE(t.world.network().cut(a, actor_server));
    CHECK_FALSE(t.world.network().cut(actor_server, a));
    CHECK(t.log.count("partition", {"cut=1"}) == (way == 0 ? 4U : 2U));
  }
}
