// The table as domain.md section 3 tells it.
#include "testing/catch.h"

#include "model/message.h"
#include "model/test_world.h"

namespace cohsim::test {

TEST_CASE("table: callers of one name share one flight, and the next one hits") {
  TestWorld t(scenario_on(Lane::none));
  t.steps.commit(t.name(), "v");
  for (int i = 0; i < 3; ++i) t.world.scheduler().spawn(a, operation::fetch(t.world, a, 0, t.name().id, 0));
  t.world.run_until_quiet(us_per_s);
  CHECK(t.log.count("flight began") == 1);
  CHECK(t.log.count("waiter answered", {"outcome=loaded"}) == 3);
  CHECK(t.fetch(a).outcome == "hit");
  const Counters counters = t.counters(a);
  CHECK((counters.misses == 3 && counters.coalesced == 2 && counters.fills == 1 && counters.hits == 1));
}

TEST_CASE("table: a fill carries a version minted when its flight started, over the value that the loader saw") {
  TestWorld t(scenario_on(Lane::none));
  t.steps.commit(t.name(), "old");
  const OperationState begun = t.steps.fetch(a, t.name(), Point::flight_load);
  const std::string later = t.steps.mint(a, "USR");
  t.steps.commit(t.name(), "new");
  const OperationState fetched = t.steps.resume(begun.operation, std::nullopt);
  CHECK(fetched.value == "new");
  CHECK(newer(later, *fetched.version));
  CHECK(t.l1(a)->version == *fetched.version);
  CHECK(t.l2()->bytes == *fetched.version + "new");
}

TEST_CASE("table: an L2 hit goes into L1 with a full fresh ttl") {
  TestWorld t(scenario_on(Lane::none));
  t.put(a, "v");
  t.steps.advance(4 * us_per_s);
  const TimeUs now = t.world.now();
  CHECK(t.fetch(b).outcome == "l2_hit");
  CHECK(t.l1(b)->expires_at >= now + 4'500'000);
  t.steps.advance(2 * us_per_s);
  CHECK_FALSE(t.l2());
  CHECK(t.l1(b) != nullptr);
}

TEST_CASE("table: a flight tells what it found in L2 and in the source of truth, and where it found nothing") {
  TestWorld t(scenario_on(Lane::none));
  t.fetch(a);
  CHECK(t.log.count("flight read", {"layer=l2", "version"}) == 0);
  CHECK(t.log.count("flight read", {"layer=source", "version"}) == 0);
  CHECK(t.log.count("flight read") == 2);
  t.put(b, "v");
  t.fetch(a);
  CHECK(t.log.count("flight read", {"layer=l2", "version=USR", "value=v"}) == 1);
  t.steps.invalidate(a, t.name(), std::nullopt);
  t.fetch(a);
  CHECK(t.log.count("flight read", {"layer=source", "version=USR", "value=v"}) == 1);
}

TEST_CASE("table: a frame shorter than a version is corrupt, a name without a row is absent, neither enters L1") {
  TestWorld t(scenario_on(Lane::none));
  t.steps.raw({"SET", l2_key("users", t.name().id), "thirteen byte"});
  CHECK(t.fetch(a).outcome == "corrupt");
  CHECK(t.fetch(a, 2).outcome == "absent");
  CHECK(t.world.l1_ids(a, 0).empty());
}

TEST_CASE("table: a put whose SET fails kills the owner: L1 is empty, flights fail, and the owner starts again") {
  TestWorld t(scenario_on(Lane::none));
  t.put(a, "other", 2);
  const OperationState flight = t.steps.fetch(a, t.name(3), Point::flight_load);
  t.steps.partition(a, actor_server);
  CHECK(t.put(a, "v").outcome == "failed");
  CHECK(t.world.l1_ids(a, 0).empty());
  t.steps.advance(0);
  CHECK(t.world.operations().state(flight.operation).ended);
  CHECK(t.world.operations().state(flight.operation).outcome == "failed");
  CHECK_FALSE(t.world.operations().any_stopped());
  t.steps.heal();
  t.steps.advance(us_per_s);
  CHECK(t.put(a, "v").outcome == "ok");
  CHECK(t.l1(a)->value == "v");
}

TEST_CASE("table: who waits for an owner that dies is refused, and the lock is free afterwards") {
  TestWorld t(scenario_on(Lane::none));
  const OperationState first = t.steps.put(a, t.name(), "v", Point::put_set);
  t.world.scheduler().spawn(a, operation::invalidate(t.world, a, 0, t.name().id, 0));
  t.steps.partition(a, actor_server);
  CHECK(t.steps.resume(first.operation, std::nullopt).outcome == "failed");
  t.steps.heal();
  t.steps.advance(us_per_s);
  CHECK(t.log.count("l2", {"cause=DEL"}) == 0);
  CHECK(t.steps.invalidate(a, t.name(), std::nullopt).outcome == "ok");
}

TEST_CASE("table: invalidate removes from both layers whatever their versions") {
  TestWorld t(scenario_on(Lane::none));
  t.put(a, "v");
  CHECK(t.steps.invalidate(a, t.name(), std::nullopt).outcome == "ok");
  CHECK(t.l1(a) == nullptr);
  CHECK_FALSE(t.l2());
}

TEST_CASE("table: apply_coherence removes for a newer version only, and refuses another kind") {
  TestWorld t(scenario_on(Lane::none));
  const std::string older = t.steps.mint(a, "USR");
  const std::string own = *t.put(a, "v").version;
  const std::string above = t.steps.mint(a, "TXN");  // the namespace is ignored
  const auto apply = [&](const std::string& id, const std::string& version) {
    return t.await(a, t.node(a).table(0)->apply_coherence(id, version)).value();
  };
  CHECK(apply(t.name().id, older).verdict == Verdict::stale);
  CHECK(apply(t.name().id, own).verdict == Verdict::stale);
  CHECK(t.l1(a) != nullptr);
  CHECK(apply(t.name().id, above).verdict == Verdict::applied);
  CHECK(t.l1(a) == nullptr);
  CHECK(apply(t.name().id, above).verdict == Verdict::stale);
  CHECK_FALSE(apply("TXN" + t.name().id.substr(3), above).answered);
  CHECK((t.counters(a).coh_applied == 1 && t.counters(a).coh_stale == 3));
  CHECK(t.node(a).table(0)->apply_from_ring("TXN" + t.name().id.substr(3), above) == Verdict::stale);
}

TEST_CASE("table: every public verb refuses an id of another kind before either layer is touched") {
  TestWorld t(scenario_on(Lane::none));
  const NameRef foreign{0, "TXN" + t.name().id.substr(3)};
  CHECK(t.steps.put(a, foreign, "v", std::nullopt).outcome == "refused");
  CHECK(t.steps.fetch(a, foreign, std::nullopt).outcome == "refused");
  CHECK(t.steps.invalidate(a, foreign, std::nullopt).outcome == "failed");
  CHECK(t.log.count("kind refused") == 3);
  CHECK(t.log.count("request ") == 0);
}

TEST_CASE("table: a row lives ttl less or more the jitter, and the sweep takes it") {
  TestWorld t(scenario_on(Lane::none));
  t.strategy.answers[Site::row_jitter] = {0, 1'000'000};
  TimeUs before = t.world.now();
  t.put(a, "v", 1);
  CHECK(t.l1(a, 1)->expires_at - before >= 4'500'000);
  CHECK(t.l1(a, 1)->expires_at - t.world.now() <= 4'500'000);
  before = t.world.now();
  t.put(a, "v", 2);
  CHECK(t.l1(a, 2)->expires_at - before >= 5'500'000);
  CHECK(t.l1(a, 2)->expires_at - t.world.now() <= 5'500'000);
  t.steps.advance(5 * us_per_s);
  CHECK(t.l1(a, 1) == nullptr);
  CHECK((t.l1(a, 2) != nullptr && t.counters(a).swept == 1 && t.counters(a).sweeps == 5));
}

TEST_CASE("table: a full one reclaims what has expired, and otherwise serves without inserting") {
  Scenario scenario = scenario_on(Lane::none);
  scenario.tables[0].max_size = 1;
  scenario.tables[0].sweep_us = 60 * us_per_s;
  TestWorld t(scenario);
  t.put(a, "one", 1);
  t.steps.commit(t.name(2), "two");
  CHECK(t.fetch(a, 2).value == "two");
  CHECK(t.world.l1_ids(a, 0) == std::vector<std::string>{t.name(1).id});
  CHECK(t.counters(a).full_skips == 1);
  CHECK(t.put(a, "one again", 1).outcome == "ok");  // a row of its own is no question of room
  t.steps.advance(6 * us_per_s);
  CHECK(t.fetch(a, 2).value == "two");
  CHECK(t.world.l1_ids(a, 0) == std::vector<std::string>{t.name(2).id});
  CHECK(t.log.count("l1 ", {"why=reclaimed"}) == 1);
}

}  // namespace cohsim::test
