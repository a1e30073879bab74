// The two lanes: domain.md section 4 (broadcast) and section 5 (jobs).
#include "testing/catch.h"

#include "model/message.h"
#include "model/test_world.h"

namespace cohsim::test {

namespace {

HandMessage by_hand(std::string bytes, std::optional<Actor> to = b) { return {std::nullopt, to, 0, std::move(bytes)}; }

}  // namespace

TEST_CASE("broadcast: a write drops the older row of every other node, and of none that is not older") {
  TestWorld t(scenario_on(Lane::broadcast));
  t.put(a, "old");
  t.fetch(b);
  t.put(a, "new");
  t.steps.advance(us_per_s / 2);
  CHECK(t.l1(b) == nullptr);
  CHECK(t.l1(a)->value == "new");
  CHECK(t.l2()->bytes.ends_with("new"));
}

TEST_CASE("broadcast: a subscriber that is away loses the message, counted once, it subscribes again when it is back") {
  TestWorld t(scenario_on(Lane::broadcast));
  t.put(a, "old");
  t.fetch(b);
  const std::size_t heard = t.log.count("message delivered", {"to=3"});
  // Both connections of b: the second one is its subscriber's.
  t.world.network().break_connection(2, "test");
  t.world.network().break_connection(3, "test");
  t.steps.put(a, t.name(), "new", std::nullopt);
  t.steps.advance(us_per_s / 2);
  CHECK(t.log.count("message delivered", {"to=3"}) == heard);
  CHECK(t.log.count("message dropped", {"to=3", "cause=away"}) == 1);
  CHECK(t.l1(b) != nullptr);
  t.put(a, "newer");
  t.steps.advance(us_per_s / 2);
  CHECK(t.l1(b) == nullptr);
}

TEST_CASE("broadcast: up but not yet subscribed again, it misses the message as well, and is counted") {
  TestWorld t(scenario_on(Lane::broadcast));
  t.world.network().break_connection(3, "test");
  while (!t.world.network().up(3)) REQUIRE(t.world.step(t.world.now() + us_per_s));
  // Straight at the server, before the SUBSCRIBE gets there.
  t.world.host().command(a, 0, 1, {"PUBLISH", "ecc:{users}:coh", "too early"});
  t.steps.advance(us_per_s / 2);
  CHECK(t.log.count("message sent", {"to=3"}) == 1);
  CHECK(t.log.count("message dropped", {"to=3", "cause=away"}) == 1);
}

TEST_CASE("broadcast: a SUBSCRIBE that runs after its connection broke subscribes nobody") {
  TestWorld t(scenario_on(Lane::broadcast));
  t.world.network().break_connection(3, "test");
  t.world.host().command(b, 3, 1, {"SUBSCRIBE", "ecc:{users}:coh"});  // late, of the first epoch
  t.steps.advance(us_per_s / 2);
  t.put(a, "v");
  t.steps.advance(us_per_s / 2);
  CHECK(t.log.count("message sent", {"to=3"}) == 1);
  CHECK(t.log.count("message delivered", {"to=3"}) == 1);
}

TEST_CASE("broadcast: what is no message is ignored") {
  TestWorld t(scenario_on(Lane::broadcast));
  t.put(a, "v");
  t.fetch(b);
  const std::string good = to_bytes(CoherenceMessage{t.name().id, t.steps.mint(a, "USR")});
  for (const std::string& bytes : {good.substr(1), good + "x", good.substr(0, 14) + "-" + good.substr(15), std::string()}) {
    t.steps.message(by_hand(bytes));
  }
  t.steps.advance(us_per_s / 2);
  CHECK(t.log.count("malformed") == 4);
  CHECK(t.log.count("coherence applied", {"node=3"}) == 1);  // a's own write
  CHECK(t.l1(b) != nullptr);
}

TEST_CASE("broadcast: the applier takes everything that waits as one batch, in order, a full ring refuses") {
  Scenario scenario = scenario_on(Lane::broadcast);
  scenario.tables[0].ring_capacity = 3;
  TestWorld t(scenario);
  const OperationState stopped = t.steps.stop_next(b, Point::ring_apply);
  std::vector<std::string> versions;
  for (int i = 0; i < 4; ++i) {
    versions.push_back(t.steps.mint(a, "USR"));
    t.steps.message(by_hand(to_bytes(CoherenceMessage{t.name().id, versions.back()})));
  }
  t.steps.advance(us_per_s / 10);
  CHECK(t.counters(b).ring_dropped == 1);
  t.steps.resume(stopped.operation, std::nullopt);
  t.steps.advance(us_per_s / 10);
  CHECK(t.log.count("ring drained", {"count=3"}) == 1);
  std::vector<std::string> applied;
  for (const std::string& line : t.log.lines) {
    if (line.starts_with("coherence applied")) applied.push_back(line.substr(line.find("version=") + 8, 14));
  }
  CHECK(applied == std::vector<std::string>(versions.begin(), versions.begin() + 3));
}

TEST_CASE("a drop that fails: broadcast goes on to L1, the job lane raises, and nothing is remembered") {
  const Lane lane = GENERATE(Lane::broadcast, Lane::job);
  Scenario scenario = scenario_on(lane);
  scenario.nodes = {"a", "b"};
  TestWorld t(scenario);
  t.put(a, "v");
  t.fetch(b);
  t.world.settle(false);
  const OperationState stopped = t.steps.stop_next(b, Point::drop_call);
  if (lane == Lane::job) t.steps.crash(a, false);  // so that b claims
  const std::string version = "USRAa000000000";
  t.fetch(b);
  t.steps.message(by_hand(to_bytes(CoherenceMessage{t.name().id, version}), b));
  t.steps.advance(2 * us_per_s);
  REQUIRE(t.steps.state_of(stopped.operation).stopped_before == "drop.call");
  t.world.network().break_connection(2, "test");
  t.steps.resume(stopped.operation, std::nullopt);
  t.steps.advance(us_per_ms / 2);
  CHECK(t.log.count("drop answered", {"outcome=disconnected"}) == 1);
  if (lane == Lane::broadcast) {
    CHECK(t.l1(b) == nullptr);
  } else {
    CHECK(t.log.count("handler ended", {"raised=1"}) == 1);
    CHECK(t.l1(b) != nullptr);
    CHECK(t.world.journal(b, 0)->applied.find(t.name().id)->second.version != version);
  }
}

TEST_CASE("jobs: a malformed payload is retried until it is dead, and its row stays") {
  TestWorld t(scenario_on(Lane::job));
  t.steps.message(by_hand("no message"));
  t.world.settle(true);
  REQUIRE(t.world.jobs().size() == 1);
  CHECK(t.world.jobs()[0].state == JobState::dead);
  CHECK(t.log.count("handler ended", {"raised=1"}) == JobQueue::max_attempts);
}

TEST_CASE("jobs: a consumer goes on when the lease is over, the handler that comes later is a zombie, and stale") {
  TestWorld t(scenario_on(Lane::job));
  t.steps.leave(a);
  const OperationState stopped = t.steps.stop_next(b, Point::job_complete);
  t.steps.message(by_hand(to_bytes(CoherenceMessage{t.name().id, "USR00000000009"})));
  t.steps.advance((JobQueue::lease_ms + 5'000) * us_per_ms);
  CHECK(t.log.count("claim") == 2);
  CHECK(t.world.jobs().empty());
  t.steps.resume(stopped.operation, std::nullopt);
  t.steps.advance(us_per_s);
  CHECK(t.log.count("settle job", {"answered=stale"}) == 1);
}

}  // namespace cohsim::test
