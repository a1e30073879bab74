// The server without memory, slow, hung, or answered for by a replica that lags: by steps, and by rates.
#include "model/identity.h"
#include "model/message.h"
#include "model/test_world.h"
#include "testing/catch.h"

using namespace cohsim;
using namespace cohsim::test;

namespace {

Scenario long_ttl(Lane lane) {
  Scenario scenario = scenario_on(lane);
  scenario.has_steps = true;
  scenario.tables[0].ttl_us = 100 * us_per_s;
  scenario.tables[0].jitter_ppm = 0;
  return scenario;
}

std::string text_of(const valkey::Reply& reply) { return valkey::to_text(reply); }

}  // namespace

TEST_CASE("a full server refuses to store, and still reads, drops and publishes") {
  TestWorld t(long_ttl(Lane::broadcast));
  t.put(a, "old");
  t.fetch(b);
  t.steps.server_full(5 * us_per_s);
  CHECK(t.put(a, "new").outcome == "failed");
  CHECK(t.l2()->bytes.ends_with("old"));
  CHECK(t.fetch(b).outcome == "hit");
  t.steps.raw({"PUBLISH", broadcast_channel("users"), std::string(t.name().id) + ":" + t.steps.mint(a, "USR")});
  t.steps.invalidate(a, t.name(), std::nullopt);
  t.steps.advance(us_per_s);
  CHECK(t.l1(b) == nullptr);
  CHECK_FALSE(t.l2());
  t.steps.advance(5 * us_per_s);
  CHECK(t.put(a, "newest").outcome == "ok");
  CHECK(t.log.count("server full") == 1);
}

TEST_CASE("a full server takes, hands out and postpones no job, but lets one complete") {
  TestWorld t(long_ttl(Lane::job));
  const OperationState handler = t.steps.stop_next(b, Point::job_handle);
  t.steps.partition(a, actor_server);
  t.steps.message({std::nullopt, b, 0, std::string(t.name().id) + ":" + t.steps.mint(a, "USR")});
  t.steps.advance(3 * us_per_s);
  t.steps.heal();
  REQUIRE(t.log.count("claim", {"node=3"}) == 1);
  t.steps.server_full(10 * us_per_s);
  t.steps.resume(handler.operation, std::nullopt);
  t.steps.advance(2 * us_per_s);
  CHECK(t.log.count("bus answered", {"verb=complete", "outcome=ok"}) == 1);
  CHECK(t.world.host().enqueue("q", brand("JOB", 7), "", "g") == Outcome::failed);
  t.steps.server_full(0);
  CHECK(t.world.host().enqueue("q", brand("JOB", 7), "", "g") == Outcome::ok);
  t.steps.server_full(10 * us_per_s);
  CHECK_FALSE(t.world.host().claim(a, "q"));
  t.steps.server_full(0);
  CHECK(t.world.host().claim(a, "q"));
}

TEST_CASE("a settle gives a full server its memory back") {
  TestWorld t(long_ttl(Lane::broadcast));
  t.steps.server_full(3600 * us_per_s);
  t.steps.settle();
  CHECK(t.world.now() < 100 * us_per_s);
  CHECK(t.put(a, "v").outcome == "failed");  // the settle is over
}

TEST_CASE("a settle waits for no command that runs long, nor for a script") {
  TestWorld t(long_ttl(Lane::broadcast));
  t.steps.server_slow(3600 * us_per_s);
  t.steps.settle();
  CHECK(t.put(a, "v").outcome == "ok");
  t.steps.server_hangs(3600 * us_per_s);
  t.steps.advance(10 * us_per_s);
  t.steps.settle();
  CHECK(t.put(a, "w").outcome == "ok");
  CHECK(t.world.now() < 500 * us_per_s);
}

TEST_CASE("while a command runs long all others wait, and then come in the order of their arrival") {
  TestWorld t(long_ttl(Lane::none));
  t.put(a, "v", 1);
  t.put(a, "w", 2);
  t.steps.server_slow(800 * us_per_ms);
  const TimeUs began = t.world.now();
  CHECK(t.fetch(b, 1).outcome == "l2_hit");
  CHECK(t.world.now() - began >= 800 * us_per_ms);
  CHECK(t.world.now() - began < 900 * us_per_ms);
  CHECK(t.log.count("connection broke") == 0);
}

TEST_CASE("who waits for a slow server gives up after its time-out, and what it asked for may run all the same") {
  TestWorld t(long_ttl(Lane::none), [](ScriptedStrategy& strategy) { strategy.answers[Site::broken_in_flight] = {1}; });
  t.steps.server_slow(3 * us_per_s);
  CHECK(t.put(a, "v").outcome == "failed");
  CHECK_FALSE(t.l2());
  CHECK(t.log.count("connection broke", {"why=timeout"}) == 1);
  t.steps.advance(3 * us_per_s);
  REQUIRE(t.l2());
  CHECK(t.l2()->bytes.ends_with("v"));
}

TEST_CASE("a script that does not end: silence first, then BUSY to everybody, until it is killed") {
  TestWorld t(long_ttl(Lane::broadcast));
  t.put(a, "v");
  t.steps.server_hangs(30 * us_per_s);
  t.steps.advance(6 * us_per_s);
  const std::string busy = text_of(t.steps.raw({"GET", "k"}));
  CHECK(busy.find("BUSY Valkey is busy running a script. You can only call SCRIPT KILL") != busy.npos);
  const TimeUs began = t.world.now();
  CHECK(t.put(b, "w").outcome == "failed");
  CHECK(t.world.now() - began < 100 * us_per_ms);  // refused, not timed out
  CHECK(text_of(t.steps.raw({"SCRIPT", "KILL"})).find("OK") != std::string::npos);
  t.steps.advance(2 * us_per_s);
  CHECK(t.put(b, "x").outcome == "ok");
}

TEST_CASE("a subscriber that is told BUSY subscribes again once the script has ended") {
  TestWorld t(long_ttl(Lane::broadcast));
  t.put(a, "old");
  t.fetch(b);
  t.steps.server_hangs(20 * us_per_s);
  t.steps.advance(6 * us_per_s);
  t.steps.away(b, us_per_s);
  t.steps.advance(20 * us_per_s);
  t.put(a, "new");
  t.steps.advance(us_per_s);
  CHECK(t.l1(b) == nullptr);
}

TEST_CASE("a restart ends what the server suffered from") {
  TestWorld t(long_ttl(Lane::none));
  t.steps.server_hangs(60 * us_per_s);
  t.steps.server_full(60 * us_per_s);
  t.steps.valkey_restart(true);
  t.steps.advance(us_per_s);
  CHECK(t.put(a, "v").outcome == "ok");
}

TEST_CASE("a replica that lags answers with the row of that time, its own deadline, and never a script") {
  TestWorld t(long_ttl(Lane::none));
  t.put(a, "old");
  t.steps.advance(5 * us_per_s);
  t.put(a, "new");
  t.steps.replica_lag(us_per_s);
  CHECK(t.fetch(b).value == "old");
  t.steps.advance(2 * us_per_s);
  t.steps.replica_lag(10 * us_per_s);  // before there was a row
  CHECK(t.fetch(b, 1).value == "old");  // an L1 row by now
  t.steps.replica_lag(0);
  CHECK(t.log.count("replica read", {"node=3", "behind_us=1000000"}) == 1);
  t.steps.replica_lag(100 * us_per_ms);
  t.steps.raw({"SET", "k", "x"});
  CHECK(t.steps.raw({"GET", "k"}) == valkey::Reply::of_bulk("x"));  // the primary
}

TEST_CASE("a replica lags behind a deletion too, and judges deadlines by the clock of now") {
  Scenario scenario = long_ttl(Lane::none);
  scenario.tables[0].ttl_us = 4 * us_per_s;
  TestWorld t(scenario);
  t.put(a, "v");
  t.steps.advance(us_per_s);
  t.steps.evict(l2_key("users", t.name().id));
  t.steps.replica_lag(500 * us_per_ms);
  CHECK(t.fetch(b).value == "v");
  t.steps.replica_lag(5 * us_per_s);
  t.steps.advance(4 * us_per_s);
  CHECK(t.fetch(b).outcome != "l2_hit");
}

TEST_CASE("troubles of the server by rate strike each by itself, and nobody while a settle lasts") {
  const auto struck = [](const ValkeyFaults& faults, std::string_view what) {
    Scenario scenario = long_ttl(Lane::broadcast);
    scenario.faults.valkey = faults;
    scenario.workload = {200, 60 * us_per_s, {3, 10, 1, 0, 0, 0, 0, 0}};
    RandomStrategy strategy(7);
    World world(scenario, strategy, interpreter(), bundled_script());
    EventLog log;
    world.trace().listen(&log);
    world.start();
    Workload workload(world);
    workload.start();
    while (!workload.done()) world.step(world.scheduler().next_due());
    const std::size_t others = log.count("server") + log.count("replica read") - log.count(what);
    return std::pair(log.count(what), others);
  };
  const auto only = [&](const ValkeyFaults& faults, std::string_view what) {
    const auto [count, others] = struck(faults, what);
    CAPTURE(what, count);
    CHECK(count >= 2);
    CHECK(others == 0);
  };
  only({.failover = 20'000}, "server failed over");
  only({.full = 20'000}, "server full");
  only({.slow = 20'000}, "server slow");
  only({.hang = 60'000}, "server slow");
  only({.stale = 200'000}, "replica read");
  CHECK(struck({}, "server").first == 0);
}
