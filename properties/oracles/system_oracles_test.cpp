// System-level properties, on fabricated histories.
#include "properties/oracles/fake_world.h"
#include "testing/catch.h"

namespace cohsim::oracles {

namespace {

using Maybe = std::optional<std::string>;

const std::string one = v(1), two = v(2), three = v(3);

event::Committed committed(const std::string& version, const std::string& value, std::uint64_t serial) {
  return {node_a, users, id_of_users(), version, value, serial};
}
event::FetchEnded fetched(Actor node, const std::string& value, TimeUs began) {
  return {node, users, id_of_users(), FetchOutcome::hit, one, value, began};
}
event::L1Changed filled(const Maybe& after, const std::string& value = "x", Actor node = node_a) {
  return {node, users, id_of_users(), {}, after, value, L1Cause::fill};
}
event::CoherenceApplied applied(Actor node, const std::string& version) {
  return {node, users, id_of_users(), version, {}, {}, Verdict::stale, 1};
}
Watch& set(Watch& watch, const Maybe& before, const Maybe& after, std::string_view cause = "SET") {
  const valkey::Row old{before.value_or(""), {}}, fresh{after.value_or(""), {}};
  return watch(event::RowChanged{"ecc:{users}:x", before ? &old : nullptr, after ? &fresh : nullptr, cause, true, users,
                                 id_of_users()});
}
Watch at_end(Watch&& watch) {
  watch.oracle->finish(true);
  return std::move(watch);
}

}  // namespace

TEST_CASE("l2_never_goes_back") {
  Watch watch(make_l2_never_goes_back);
  set(watch, one + "a", two + "b");
  set(watch, two, two);
  set(watch, two, {}, "DEL");
  set(watch, {}, one);
  set(watch, three, "short");
  CHECK(watch.holds());
  CHECK(set(watch, two + "b", one + "a").violated());
  Watch failed_over(make_l2_never_goes_back);
  CHECK(set(failed_over, two, one, "failover").violated());
  Watch refused(make_l2_never_goes_back);
  CHECK(refused(event::WriteRefused{node_a, users, id_of_users(), one, "l2", "put", two}).holds());
}

TEST_CASE("rows_converge and values_converge") {
  const auto settled = [](auto make, const std::string& l1_version, const std::string& l1_value, const std::string& l2) {
    Watch watch(make);
    watch(committed(two, "second", 1))(committed(one, "third", 2));  // minted earlier, committed later
    watch.world.l1_[{node_b, 0, id_of_users()}] = {l1_version, l1_value, 0};
    if (!l2.empty()) watch.world.l2_[{0, id_of_users()}] = {l2, {}};
    return at_end(std::move(watch));
  };
  CHECK(settled(make_rows_converge, two, "", "").holds());
  CHECK(settled(make_rows_converge, three, "", "short").holds());
  CHECK(settled(make_rows_converge, one, "", "").violated());
  CHECK(settled(make_rows_converge, two, "", one + "x").violated());
  CHECK(settled(make_values_converge, one, "third", three + "third").holds());
  CHECK(settled(make_values_converge, one, "second", "").violated());
  CHECK(settled(make_values_converge, one, "third", two + "second").violated());
  CHECK(settled(make_values_converge, one, "third", "short").violated());
  Watch down(make_rows_converge);
  down(committed(two, "x", 1));
  down.world.l1_[{node_b, 0, id_of_users()}] = {one, "x", 0};
  down.world.down_.insert(node_b);
  CHECK(at_end(std::move(down)).holds());
}

TEST_CASE("fills_respect_invalidations") {
  const event::FlightBegan began{node_a, users, id_of_users(), 1};
  const event::FlightEnded ended{node_a, users, id_of_users(), 1, FetchOutcome::loaded, {}};
  Watch right(make_fills_respect_invalidations);
  right(applied(node_a, three))(began)(applied(node_b, three))(applied(node_a, one))(filled(two))(ended);
  CHECK(right.holds());
  CHECK(Watch(make_fills_respect_invalidations)(began)(applied(node_a, two))(filled(one)).violated());

  const valkey::Reply zero = valkey::Reply::of_integer(0);
  const std::set<std::string, std::less<>> touched;
  const auto script = [&](const std::string& version) {
    return event::ScriptRan{node_b, users, id_of_users(), "k", version, nullptr, nullptr, &zero, &zero, false, &touched, false, ""};
  };
  Watch l2(make_fills_respect_invalidations);
  l2(script(three))(event::Minted{node_a, two})(script(one));
  CHECK(set(l2, {}, two + "x").holds());
  l2(script(three))(script(two));
  CHECK(set(l2, {}, two + "x").violated());
  Watch put(make_fills_respect_invalidations);  // a write's own SET is no fill
  put(event::Minted{node_a, two})(committed(two, "x", 1))(script(three));
  CHECK_FALSE(set(put, {}, two + "x").violated());

  // A fill under the version of a write: known by the request that the flight's fiber sent.
  const auto source_fill = [&](std::uint64_t request_that_runs) {
    Watch watch(make_fills_respect_invalidations);
    watch(event::Minted{node_b, one})(committed(one, "x", 1));
    watch.in(7)(event::FlightBegan{node_a, users, id_of_users(), 1})(event::FillSent{node_a, users, id_of_users(), one, 1});
    watch(event::RequestSent{node_a, 1, 1, 41}).in(8)(event::RequestSent{node_b, 2, 1, 42});
    watch(script(two))(event::RequestRan{node_a, 1, 1, request_that_runs, false});
    const valkey::Row row{one + "x", {}};
    watch(event::RowChanged{"ecc:{users}:x", nullptr, &row, "SET", true, users, id_of_users()}, true);
    return watch.violated();
  };
  CHECK(source_fill(41));
  CHECK_FALSE(source_fill(42));  // a put of the same version

  // A fill that gave way is the property put to the test, and no violation.
  Watch gave_way(make_fills_respect_invalidations);
  gave_way(began)(script(two))(event::WriteRefused{node_a, users, id_of_users(), one, "l2", "fill", {}})(ended);
  CHECK(gave_way.holds());
}

TEST_CASE("remembered_rows_stay_gone") {
  const std::vector<JournalContents::Intent> none;
  const auto remembered = [&] {
    Watch watch(make_remembered_rows_stay_gone);
    watch(event::JournalAttempted{node_a, users, 1, JournalWrite::remember, &none, id_of_users(), two});
    return watch;
  };
  Watch right = remembered();
  right(filled(one))(event::JournalCommitted{node_a, users, 1})(filled(two))(filled(one, "x", node_b));
  CHECK(right.holds());
  CHECK(right(filled(one)).violated());
  Watch standing = remembered();
  standing.world.l1_[{node_a, 0, id_of_users()}] = {one, "x", 0};
  CHECK(standing(event::JournalCommitted{node_a, users, 1}).violated());
}

TEST_CASE("token_is_one_claim and versions_are_unique") {
  const auto claim = [](event::Bytes job, std::int64_t token) { return event::JobClaimed{node_a, "q", job, "p", token, 0}; };
  Watch tokens(make_token_is_one_claim);
  CHECK(tokens(claim("J1", 1))(claim("J1", 2))(claim("J2", 1)).holds());
  CHECK(tokens(claim("J1", 1)).violated());
  Watch mints(make_versions_are_unique);
  CHECK(mints(event::Minted{node_a, one})(event::Minted{node_b, two}).holds());
  CHECK(mints(event::Minted{node_b, v(1, "ORD")}).violated());
}

TEST_CASE("read_your_writes and reads_are_monotonic") {
  const event::WriteEnded ended{node_a, users, id_of_users(), two, true};
  const auto written = [&](auto make) {
    Watch watch(make);
    watch(committed(one, "old", 1))(committed(two, "new", 2))(ended);
    return watch;
  };
  CHECK(written(make_read_your_writes)(fetched(node_a, "new", 4000)).holds());
  CHECK_FALSE(written(make_read_your_writes)(fetched(node_a, "old", 2000)).violated());  // began before the write ended
  CHECK_FALSE(written(make_read_your_writes)(fetched(node_b, "old", 4000)).violated());
  CHECK(written(make_read_your_writes)(fetched(node_a, "old", 4000)).violated());

  Watch reads = written(make_reads_are_monotonic);
  reads(fetched(node_a, "new", 3500))(fetched(node_a, "old", 3500))(fetched(node_b, "old", 5500))(fetched(node_a, "new", 6500));
  CHECK(reads.holds());
  CHECK(reads(fetched(node_a, "old", 7500)).violated());
  Watch crashed = written(make_reads_are_monotonic);
  crashed(fetched(node_a, "new", 3500))(event::NodeCrashed{node_a, false, 0})(fetched(node_a, "old", 5500));
  CHECK_FALSE(crashed.violated());
}

TEST_CASE("staleness_bounded") {
  const auto read_after = [](std::uint64_t ms, bool settled = false) {
    Watch watch(make_staleness_bounded);
    watch(committed(one, "old", 1))(committed(two, "new", 2));  // superseded at 2 ms
    if (settled) watch(event::SettleBegan{});
    watch.step += 20'000;
    if (settled) watch(event::SettleEnded{});
    watch(fetched(node_a, "old", static_cast<TimeUs>(ms) * us_per_ms));
    return watch;
  };
  CHECK(read_after(10'502).holds());  // 2 * 5 s + 0.5 s
  CHECK(read_after(10'503).violated());
  CHECK(read_after(10'503, true).holds());
}

TEST_CASE("staleness_bounded: flights count from their beginning on, whether they have ended or not") {
  enum class Flight { none, under_way, ended, crashed };
  const auto read_at_12_s = [](Flight flight) {
    Watch watch(make_staleness_bounded);
    watch(committed(one, "old", 1));
    if (flight != Flight::none) watch(event::FlightBegan{node_b, users, id_of_users(), 1});
    watch(committed(two, "new", 2));
    watch.step = 12'000;
    if (flight == Flight::ended) watch(event::FlightEnded{node_b, users, id_of_users(), 1, FetchOutcome::loaded, one});
    if (flight == Flight::crashed) watch(event::NodeCrashed{node_b, false, 0});
    watch(fetched(node_a, "old", 12'000 * us_per_ms));
    return watch;
  };
  CHECK(read_at_12_s(Flight::none).violated());
  CHECK(read_at_12_s(Flight::under_way).holds());
  CHECK(read_at_12_s(Flight::ended).holds());
  CHECK(read_at_12_s(Flight::crashed).holds());
}

TEST_CASE("staleness_bounded: a scenario's own bound stands in place of the ttl's") {
  const auto read_after = [](std::uint64_t ms) {
    Watch watch(make_staleness_bounded);
    watch.world.scenario_.staleness_bound_us = us_per_s;
    watch(committed(one, "old", 1))(committed(two, "new", 2));
    watch.step += 20'000;
    watch(fetched(node_a, "old", static_cast<TimeUs>(ms) * us_per_ms));
    return watch;
  };
  CHECK(read_after(1'002).holds());
  CHECK(read_after(1'003).violated());
}

TEST_CASE("staleness_bounded: pauses, the lag of a replica and a slow clock are granted, each by its length") {
  const auto read_after = [](std::uint64_t ms, const auto&... events) {
    Watch watch(make_staleness_bounded);
    watch(committed(one, "old", 1))(committed(two, "new", 2));  // superseded at 2 ms
    (watch(events), ...);
    watch.step += 40'000;
    watch(fetched(node_a, "old", static_cast<TimeUs>(ms) * us_per_ms));
    return watch;
  };
  const event::NodePaused paused{node_a, us_per_s};
  CHECK(read_after(11'502, paused).holds());
  CHECK(read_after(11'503, paused).violated());
  CHECK(read_after(12'502, paused, paused).holds());
  const event::LoaderStruck stale{node_a, users, id_of_users(), "stale", 2 * us_per_s};
  CHECK(read_after(12'502, stale, stale).holds());  // the longest, once
  CHECK(read_after(12'503, stale).violated());
  CHECK(read_after(10'503, event::LoaderStruck{node_a, users, id_of_users(), "slow", 2 * us_per_s}).violated());
  const event::ClockDrifts slow{node_a, -500'000};
  CHECK(read_after(16'002, slow).holds());  // 5 s in L2, 11 s in L1
  CHECK(read_after(16'003, slow).violated());
  CHECK(read_after(10'503, event::ClockDrifts{node_a, 500'000}).violated());
}

TEST_CASE("every_node_hears") {
  const std::string message = id_of_users() + ":" + two;
  const auto settled = [&](const std::string& row, const Maybe& processed) {
    Watch watch(make_every_node_hears);
    watch(event::MessageSent{1, 0, node_a, node_b, 1, users, message});
    if (processed) watch(applied(node_b, *processed));
    if (!row.empty()) watch.world.l1_[{node_b, 0, id_of_users()}] = {row, "x", 0};
    return at_end(std::move(watch));
  };
  CHECK(settled("", {}).holds());
  CHECK(settled(two, {}).holds());
  CHECK(settled(one, three).holds());
  CHECK(settled(one, {}).violated());
  CHECK(settled(one, one).violated());
}

TEST_CASE("frames_are_authentic") {
  Watch right(make_frames_are_authentic);
  right(event::Minted{node_a, one})(committed(one, "old", 1))(filled(one, "old"));
  right(event::Minted{node_b, two})(filled(two, "old"))(committed(three, "new", 2))(filled(three, "new"));
  CHECK(right.holds());
  CHECK(Watch(make_frames_are_authentic)(committed(one, "old", 1))(filled(one, "other")).violated());
  CHECK(Watch(make_frames_are_authentic)(committed(one, "old", 1))(filled(two, "old")).violated());
  CHECK(Watch(make_frames_are_authentic)(event::Minted{node_a, two})(filled(two, "nobody's")).violated());
  // Minted after a write that its loader did not see.
  Watch unseen(make_frames_are_authentic);
  unseen(committed(one, "old", 1))(committed(two, "new", 2))(event::Minted{node_a, three})(filled(three, "old"));
  CHECK(unseen.violated());
  Watch standing(make_frames_are_authentic);  // and the same when the write comes while the frame stands
  standing(committed(one, "old", 1))(event::Minted{node_a, three});
  standing.world.l1_[{node_a, 0, id_of_users()}] = {three, "old", 0};
  CHECK(standing(committed(two, "new", 2)).violated());
}

TEST_CASE("mint_order_is_write_order") {
  Watch watch(make_mint_order_is_write_order);
  CHECK(watch(committed(one, "a", 1))(committed(three, "b", 2)).holds());
  CHECK(watch(committed(two, "c", 3)).violated());
}

TEST_CASE("every property has an oracle of its own name and texts to explain it") {
  FakeWorld world;
  for (const PropertyInfo& property : all_properties()) {
    INFO(property.name);
    CHECK(property.make(world)->property() == property.name);
    CHECK(find_property(property.name) == &property);
    CHECK(property.holds_when.size() > 20);
    CHECK(property.how_it_breaks.size() > 20);
  }
  CHECK(all_properties().size() == 39);
  CHECK(find_property("nonsense") == nullptr);
}

}  // namespace cohsim::oracles
