// The settings put_write, fill_write, fill_version and after_drop: what reaches L2, and what enters L1 of what L2 refused.
#include "testing/catch.h"

#include "model/message.h"
#include "model/test_world.h"

namespace cohsim::test {

namespace {

Scenario with(FillWrite fill, PutWrite put = PutWrite::unconditional, AfterDrop drop = AfterDrop::nothing,
              Lane lane = Lane::none) {
  Scenario scenario = scenario_on(lane);
  scenario.tables[0].jitter_ppm = 0;
  scenario.design.fill_write = fill;
  scenario.design.put_write = put;
  scenario.design.after_drop = drop;
  if (drop == AfterDrop::floor) scenario.design.script = "coherence_drop_floor";
  if (fill == FillWrite::lease) scenario.design.script = "coherence_drop_lease";
  return scenario;
}

/// A flight of `a` that has loaded "old" and is about to write it to L2.
OperationState loaded_flight(TestWorld& t) {
  t.steps.commit(t.name(), "old");
  t.steps.advance(2 * us_per_ms);
  const OperationState flight = t.steps.fetch(a, t.name(), Point::flight_set);
  t.steps.advance(2 * us_per_ms);
  return flight;
}
OperationState finish(TestWorld& t, const OperationState& flight) { return t.steps.resume(flight.operation, std::nullopt); }
std::string l2_value(TestWorld& t) { return t.l2() ? t.l2()->bytes.substr(branded_size) : "none"; }
std::string l1_value(TestWorld& t, Actor actor) { return t.l1(actor) != nullptr ? t.l1(actor)->value : "none"; }
std::string lease_of(TestWorld& t) {
  const auto row = t.world.host().server().peek(lease_key("users", t.name().id), t.world.host().wall_us());
  return row ? row->bytes : "none";
}

}  // namespace

TEST_CASE("newer_only put: an older one is refused, enters no L1, and takes an older row out of its own") {
  TestWorld t(with(FillWrite::unconditional, PutWrite::newer_only));
  t.put(a, "first");
  t.steps.advance(2 * us_per_ms);
  const OperationState slow = t.steps.put(a, t.name(), "slow", Point::put_set);
  t.steps.advance(2 * us_per_ms);
  t.put(b, "quick");
  const std::optional<std::int64_t> deadline = t.l2()->deadline_ms;
  t.steps.advance(2 * us_per_ms);
  CHECK(finish(t, slow).outcome == "ok");  // the write is committed and superseded: that is no failure
  CHECK(l2_value(t) == "quick");
  CHECK(t.l2()->deadline_ms == deadline);
  CHECK(l1_value(t, a) == "none");
  CHECK(t.log.count("refused", {"layer=l2", "what=put"}) == 1);
  CHECK(t.fetch(a).value == "quick");
}

TEST_CASE("newer_only put: an equal version is not newer, a short frame and an expired row are no rows") {
  TestWorld t(with(FillWrite::unconditional, PutWrite::newer_only));
  const std::string older = t.steps.mint(a, "USR");
  t.steps.advance(2 * us_per_ms);
  const std::string version = t.steps.mint(a, "USR");
  const auto put = [&](const std::string& value, const std::string& by) {
    return t.await(a, t.node(a).table(0)->put(t.name().id, value, by)).value();
  };
  CHECK(put("one", version));
  CHECK(put("other", version));
  CHECK(l2_value(t) == "one");
  CHECK(l1_value(t, a) == "one");
  CHECK(put("older", older));
  CHECK(l1_value(t, a) == "one");  // refused in L2; what stands in L1 is no older
  t.steps.raw({"SET", l2_key("users", t.name().id), "thirteen byte"});
  CHECK(put("after a short one", version));
  CHECK(l2_value(t) == "after a short one");
  t.steps.advance(6 * us_per_s);
  CHECK(put("older", older));  // nothing remembers the newer one any more
  CHECK(l2_value(t) == "older");
}

TEST_CASE("newer_only put: bytes decide under every collation") {
  Scenario scenario = with(FillWrite::unconditional, PutWrite::newer_only);
  scenario.design.collate = GENERATE("C", "en_US.UTF-8");
  if (!lua::available(scenario.design.collate)) return;
  TestWorld t(scenario);
  const auto put = [&](const std::string& by) {
    return t.await(a, t.node(a).table(0)->put(t.name().id, "v", by)).value();
  };
  CHECK(put("TXN0000000000a"));
  CHECK(put("TXN0000000000Z"));
  CHECK(t.l2()->bytes.starts_with("TXN0000000000a"));
}

TEST_CASE("newer_only fill: a newer row is answered and inserted in place of what was refused") {
  TestWorld t(with(FillWrite::newer_only));
  const OperationState flight = loaded_flight(t);
  t.put(b, "new");
  const OperationState fetched = finish(t, flight);
  CHECK(fetched.value == "new");
  CHECK(fetched.outcome == "l2_hit");
  CHECK(l2_value(t) == "new");
  CHECK(l1_value(t, a) == "new");
  CHECK((t.counters(a).fills == 0 && t.counters(a).l2_hits == 1));
}

TEST_CASE("newer_only fill: in L1 it gives way to a newer row as well") {
  TestWorld t(with(FillWrite::newer_only));
  t.steps.commit(t.name(), "old");
  t.steps.advance(2 * us_per_ms);
  const OperationState flight = t.steps.fetch(a, t.name(), Point::l1_insert);
  t.steps.advance(2 * us_per_ms);
  t.put(a, "new");
  finish(t, flight);
  CHECK(l1_value(t, a) == "new");
  CHECK(t.log.count("refused", {"layer=l1", "what=fill"}) == 1);
}

TEST_CASE("newer_only fill: without a floor an expired or dropped row is forgotten, and an older fill passes") {
  TestWorld t(with(FillWrite::newer_only));
  const OperationState flight = loaded_flight(t);
  t.put(b, "new");
  t.steps.advance(6 * us_per_s);
  CHECK(finish(t, flight).value == "old");
  CHECK(l2_value(t) == "old");
}

TEST_CASE("floor: a drop leaves it also where no row is, no older write passes it, and it ends") {
  TestWorld t(with(FillWrite::newer_only, PutWrite::newer_only, AfterDrop::floor));
  const OperationState flight = loaded_flight(t);
  const OperationState put = t.steps.put(b, t.name(), "older put", Point::put_set);
  t.steps.advance(2 * us_per_ms);
  const std::string version = t.steps.mint(b, "USR");
  const auto drop = [&] { return t.steps.drop_l2(b, t.name(), version, std::nullopt).outcome; };
  CHECK(drop() == "kept");
  CHECK(finish(t, put).outcome == "ok");
  CHECK(l2_value(t) == "none");
  SECTION("the fill is refused, answers what it loaded, and enters no layer") {
    CHECK(finish(t, flight).value == "old");
    CHECK(l2_value(t) == "none");
    CHECK(l1_value(t, a) == "none");
  }
  SECTION("the same message does not renew it, and behind its end the fill passes") {
    t.steps.advance(6 * us_per_s);
    CHECK(drop() == "kept");
    t.steps.advance(5 * us_per_s);
    finish(t, flight);
    CHECK(l2_value(t) == "old");
  }
  SECTION("the write that the floor stands for passes") {
    CHECK(t.await(b, t.node(b).table(0)->put(t.name().id, "new", version)).value());
    CHECK(l2_value(t) == "new");
  }
}

TEST_CASE("floor: an older message does not lower it") {
  TestWorld t(with(FillWrite::newer_only, PutWrite::unconditional, AfterDrop::floor));
  const std::string older = t.steps.mint(b, "USR");
  const OperationState flight = loaded_flight(t);
  t.steps.drop_l2(b, t.name(), t.steps.mint(b, "USR"), std::nullopt);
  t.steps.drop_l2(b, t.name(), older, std::nullopt);
  finish(t, flight);
  CHECK(l2_value(t) == "none");
}

TEST_CASE("lease: whatever overtakes the fill refuses it in L2") {
  TestWorld t(with(FillWrite::lease, GENERATE(PutWrite::unconditional, PutWrite::newer_only)));
  const OperationState flight = loaded_flight(t);
  CHECK(lease_of(t) != "none");
  const std::string key = l2_key("users", t.name().id), lease = lease_key("users", t.name().id);
  const int what = GENERATE(0, 1, 2, 3, 4, 5, 6);
  CAPTURE(what);
  if (what == 0) t.put(b, "new");
  if (what == 1) t.steps.invalidate(b, t.name(), std::nullopt);
  if (what == 2) t.steps.drop_l2(b, t.name(), t.steps.mint(b, "USR"), std::nullopt);
  if (what == 3) t.steps.evict(lease);
  if (what == 4) t.steps.valkey_restart(false);
  if (what == 5) t.steps.advance(11 * us_per_s);
  if (what == 6) {  // given up by its own put, and taken anew by another reader
    t.put(b, "new");
    t.steps.evict(key);
    t.steps.fetch(b, t.name(2), std::nullopt);
    t.steps.crash(b, false);
    t.steps.restart(b);
    t.steps.fetch(b, t.name(), Point::flight_load);
    CHECK(lease_of(t) != "none");
  }
  t.steps.advance(us_per_s);
  const OperationState fetched = finish(t, flight);
  CHECK(fetched.value == (what == 0 ? "new" : "old"));
  CHECK(l2_value(t) == (what == 0 ? "new" : "none"));
  CHECK(t.log.count("refused", {"layer=l2", "what=fill"}) == 1);
  CHECK(l1_value(t, a) == (what == 0 ? "new" : "none"));
}

TEST_CASE("lease: untouched it is used up by the first fill, and shared by those who missed meanwhile") {
  TestWorld t(with(FillWrite::lease));
  const OperationState first = loaded_flight(t);
  const std::string token = lease_of(t);
  const OperationState second = t.steps.fetch(b, t.name(), Point::flight_set);
  CHECK(lease_of(t) == token);
  CHECK(finish(t, second).outcome == "loaded");
  CHECK(lease_of(t) == "none");
  CHECK(finish(t, first).outcome == "l2_hit");
  CHECK(l1_value(t, a) == "old");
  CHECK(newer(t.l2()->bytes, *t.steps.commit(t.name(2), "x").version) == false);
}

TEST_CASE("lease: in L1 a flight ends its insertion for whatever the table hears of the name") {
  TestWorld t(with(FillWrite::lease, PutWrite::unconditional, AfterDrop::nothing, Lane::broadcast));
  t.steps.commit(t.name(), "old");
  const std::string stale = t.steps.mint(b, "USR");
  t.steps.advance(2 * us_per_ms);
  const OperationState flight = t.steps.fetch(a, t.name(), Point::l1_insert);
  const int what = GENERATE(0, 1, 2, 3);
  CAPTURE(what);
  if (what == 0) t.put(a, "new");
  if (what == 1) t.steps.invalidate(a, t.name(), std::nullopt);
  if (what == 2) t.node(a).table(0)->apply_from_ring(t.name().id, stale);  // a version says nothing of what was loaded
  if (what == 3) t.node(a).table(0)->apply_from_ring(t.name(2).id, stale);
  finish(t, flight);
  CHECK(l1_value(t, a) == (what == 0 ? "new" : what == 3 ? "old" : "none"));
}

TEST_CASE("fill_version source: the row carries the version of the write that was loaded, and none is minted") {
  Scenario scenario = with(FillWrite::unconditional);
  scenario.design.fill_version = FillVersion::source;
  TestWorld t(scenario);
  const std::string version = *t.steps.commit(t.name(), "v").version;
  const std::size_t minted = t.log.count("minted");
  CHECK(t.fetch(a).version == version);
  CHECK(t.l1(a)->version == version);
  CHECK(t.l2()->bytes == version + "v");
  CHECK(t.fetch(a, 2).outcome == "absent");
  CHECK(t.log.count("minted") == minted);
}

TEST_CASE("scripts of writes: NOSCRIPT is met once, and a lost connection is no answer and no second try") {
  TestWorld t(with(FillWrite::unconditional, PutWrite::newer_only));
  CHECK(t.put(a, "one").outcome == "ok");
  CHECK(t.log.count("script loaded") == 1);
  CHECK(t.put(a, "two").outcome == "ok");
  CHECK(t.log.count("script loaded") == 1);
  t.steps.flush_scripts();
  CHECK(t.put(b, "three").outcome == "ok");
  CHECK(t.log.count("script loaded") == 2);
  const OperationState put = t.steps.put(a, t.name(), "four", Point::put_set);
  t.steps.flush_scripts();
  t.steps.partition(a, actor_server);
  const std::size_t requests = t.log.count("request ");
  CHECK(finish(t, put).outcome == "failed");
  CHECK(t.log.count("request ") == requests + 1);
  CHECK(t.log.count("owner died") == 1);  // as for a SET that failed
}

}  // namespace cohsim::test
