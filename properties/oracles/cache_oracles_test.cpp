// Properties of tables, lanes and connections, on fabricated histories.
#include <rapidcheck.h>

#include "properties/oracles/fake_world.h"
#include "testing/catch.h"

namespace cohsim::oracles {

namespace {

using Maybe = std::optional<std::string>;

event::CoherenceApplied applied(const std::string& version, const Maybe& row, const Maybe& kept, std::uint8_t lane = 1) {
  const Verdict verdict = row && !kept ? Verdict::applied : Verdict::stale;
  return {node_a, users, id_of_users(), version, row, kept, verdict, lane};
}
event::L1Changed l1(const Maybe& before, const Maybe& after, L1Cause why) {
  return {node_a, users, id_of_users(), before, after, after ? event::MaybeBytes("value") : std::nullopt, why};
}
event::MessageSent sent(std::uint64_t message, Actor to, event::Bytes bytes) {
  return {message, 0, node_a, to, 1, users, bytes};
}
event::MessageDelivered delivered(std::uint64_t message, Actor to, event::Bytes bytes) {
  return {message, 0, node_a, to, 1, users, bytes, false};
}

}  // namespace

TEST_CASE("l1_newer_wins") {
  const std::string one = v(1), two = v(2);
  Watch right(make_l1_newer_wins);
  right(applied(one, two, two))(applied(two, two, two))(applied(one, {}, {}));
  right(l1(one, {}, L1Cause::coherence))(applied(two, one, {}), true);
  right(l1(two, {}, L1Cause::invalidate))(applied(one, {}, {}), true);  // an admin's removal in the same step
  CHECK(right.holds());

  CHECK(Watch(make_l1_newer_wins)(applied(one, two, {})).violated());
  CHECK(Watch(make_l1_newer_wins)(applied(one, one, {})).violated());
  CHECK(Watch(make_l1_newer_wins)(applied(one, two, v(0))).violated());
  Watch lying(make_l1_newer_wins);  // the row that went was not the one that was compared
  lying(l1(v(3), {}, L1Cause::coherence))(applied(two, one, {}), true);
  CHECK(lying.violated());
}

TEST_CASE("order_does_not_matter") {
  const std::string one = v(1), two = v(2), three = v(3);
  CHECK(rc::check("a right table, any messages in any order with expiry in between", [] {
    Watch watch(make_order_does_not_matter);
    Maybe row;
    const auto moves = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 12));
    for (const int move : moves) {
      if (move < 3) {  // put
        const Maybe before = row;
        row = v(static_cast<std::uint64_t>(move) * 2 + 1);
        watch(l1(before, row, L1Cause::put));
      } else if (move == 3) {
        row.reset();  // expired: no event, the row is just not there any more
      } else if (move == 4) {
        if (row) watch(l1(row, {}, L1Cause::invalidate));
        row.reset();
      } else {
        const std::string version = v(static_cast<std::uint64_t>(move - 4));
        const Maybe before = row;
        if (row && version.substr(3) > row->substr(3)) row.reset();
        if (before && !row) watch(l1(before, {}, L1Cause::coherence));
        watch(applied(version, before, row), true);
      }
    }
    RC_ASSERT(!watch.violated());
  }));
  Watch right(make_order_does_not_matter);
  right(applied(one, three, three))(applied(two, three, three));
  CHECK(right.holds());

  // The last message wins instead of the newest.
  Watch last(make_order_does_not_matter);
  last(applied(three, two, two))(applied(one, two, two));
  CHECK(last.violated());
  Watch erased(make_order_does_not_matter);
  erased(applied(one, three, three))(applied(two, three, {}));
  CHECK(erased.violated());
  Watch settled(make_order_does_not_matter);  // a row past its deadline comes back while expiry is suspended
  settled(applied(one, {}, {}))(event::SettleBegan{})(applied(two, three, three));
  CHECK_FALSE(settled.violated());
}

TEST_CASE("order_does_not_matter judges the memory too") {
  const std::vector<JournalContents::Intent> none;
  const std::string id = v(7, "WAL"), one = v(1, "WAL"), two = v(2, "WAL");
  const auto remember = [&](Watch& watch, std::uint64_t transaction, const std::string& version) {
    watch(event::JournalAttempted{node_a, money, transaction, JournalWrite::remember, &none, id, version});
    watch(event::JournalCommitted{node_a, money, transaction});
  };
  Watch right(make_order_does_not_matter), wrong(make_order_does_not_matter);
  for (Watch* watch : {&right, &wrong}) {
    remember(*watch, 1, two);
    (*watch)(event::JournalCallBegan{node_a, money, id, one, two});
    remember(*watch, 2, one);
  }
  CHECK_FALSE(right(event::JournalCallBegan{node_a, money, id, one, two}).violated());
  CHECK(wrong(event::JournalCallBegan{node_a, money, id, one, one}).violated());
}

TEST_CASE("one_flight_per_name") {
  const auto began = [](std::uint64_t flight) { return event::FlightBegan{node_a, users, id_of_users(), flight}; };
  const auto joined = [](std::uint64_t flight, std::uint64_t waiter) {
    return event::FlightJoined{node_a, users, id_of_users(), flight, waiter};
  };
  const auto ended = [](std::uint64_t flight) {
    return event::FlightEnded{node_a, users, id_of_users(), flight, FetchOutcome::failed, {}};
  };
  const auto answered = [](std::uint64_t flight, std::uint64_t waiter) {
    return event::WaiterAnswered{node_a, flight, waiter, FetchOutcome::failed};
  };
  Watch right(make_one_flight_per_name);
  right(began(1))(joined(1, 1))(joined(1, 2))(ended(1))(answered(1, 1))(began(2))(joined(2, 3))(answered(1, 2));
  right(event::FlightBegan{node_b, users, id_of_users(), 1})(event::FlightBegan{node_a, money, id_of_users(), 9});
  right(event::NodeCrashed{node_a, false, 0})(began(1));
  right.oracle->finish(true);
  CHECK(right.holds());

  CHECK(Watch(make_one_flight_per_name)(began(1))(began(2)).violated());
  Watch silent(make_one_flight_per_name);
  silent(began(1))(joined(1, 1))(joined(1, 2))(ended(1))(answered(1, 1));
  silent.oracle->finish(false);
  CHECK_FALSE(silent.violated());
  silent.oracle->finish(true);
  CHECK(silent.sentence().find("waiter 2 of flight 1") != std::string::npos);
}

TEST_CASE("kind_is_enforced") {
  const std::string foreign = v(5, "WAL"), version = v(1);
  Watch right(make_kind_is_enforced);
  right(event::KindRefused{node_a, users, foreign, "fetch"});
  right(event::FetchEnded{node_a, users, foreign, FetchOutcome::refused, {}, {}, 0});
  right(event::CoherenceApplied{node_a, users, foreign, version, {}, {}, Verdict::stale, 1});
  right(event::CoherenceApplied{node_a, users, id_of_users(), v(1, "ORD"), version, {}, Verdict::applied, 1});
  CHECK(right.holds());
  CHECK(Watch(make_kind_is_enforced)(event::FlightBegan{node_a, users, foreign, 1}).violated());
  CHECK(Watch(make_kind_is_enforced)(event::FetchEnded{node_a, users, foreign, FetchOutcome::absent, {}, {}, 0}).violated());
  CHECK(Watch(make_kind_is_enforced)(event::L1Changed{node_a, users, foreign, {}, version, "x", L1Cause::put}).violated());
  CHECK(Watch(make_kind_is_enforced)(event::WriteEnded{node_a, users, foreign, version, true}).violated());
  CHECK(Watch(make_kind_is_enforced)(
            event::CoherenceApplied{node_a, users, foreign, version, version, {}, Verdict::applied, 1})
            .violated());
}

TEST_CASE("malformed_is_ignored") {
  const std::string message = id_of_users() + ":" + v(3), bad = message + "x";
  const event::RingOffered offered{node_b, users, id_of_users(), event::Bytes(message).substr(15), true, 1};
  Watch right(make_malformed_is_ignored);
  right(sent(1, node_b, message))(sent(2, node_b, bad))(delivered(2, node_b, bad));
  right(event::MessageMalformed{node_b, users, bad, 1})(delivered(1, node_b, message))(offered, true);
  right(event::HandlerBegan{node_a, money, "JOB", 1, bad})(event::HandlerEnded{node_a, money, "JOB", 1, true, "no message"});
  right(event::HandlerBegan{node_a, money, "JOB", 2, message})(event::HandlerEnded{node_a, money, "JOB", 2, false, ""});
  CHECK(right.holds());

  CHECK(Watch(make_malformed_is_ignored)(sent(2, node_b, bad))(delivered(2, node_b, bad))(offered).violated());
  CHECK(Watch(make_malformed_is_ignored)(event::MessageMalformed{node_b, users, message, 1}).violated());
  const event::HandlerBegan began{node_a, money, "JOB", 1, bad};
  CHECK(Watch(make_malformed_is_ignored)(began)(event::HandlerEnded{node_a, money, "JOB", 1, false, ""}).violated());
  CHECK(Watch(make_malformed_is_ignored)(began)(l1(v(1), {}, L1Cause::coherence)).violated());
  CHECK_FALSE(Watch(make_malformed_is_ignored)(began).in(2)(l1(v(1), {}, L1Cause::coherence)).violated());
}

TEST_CASE("drops_are_counted") {
  Watch right(make_drops_are_counted);
  right(sent(1, node_b, "x"))(event::MessageDuplicated{2, 1, node_a, node_b, 1, users, "x"})(delivered(2, node_b, "x"));
  right(event::MessageDropped{1, 0, node_a, node_b, 1, users, "x", "partition"});
  right(sent(3, node_b, "x"))(event::MessageHeld{3, 0, node_a, node_b, 1, users, "x"});
  right.oracle->finish(true);
  CHECK(right.holds());

  Watch twice(make_drops_are_counted);
  twice(sent(1, node_b, "x"))(delivered(1, node_b, "x"))(delivered(1, node_b, "x"));
  CHECK(twice.violated());
  CHECK(Watch(make_drops_are_counted)(delivered(1, node_b, "x")).violated());
  CHECK(Watch(make_drops_are_counted)(sent(1, node_b, "x"))(delivered(1, node_a, "x")).violated());
  Watch lost(make_drops_are_counted);
  lost(sent(1, node_b, "x"));
  lost.oracle->finish(true);
  CHECK(lost.violated());

  const event::RingOffered accepted{node_b, users, "", "", true, 1}, refused{node_b, users, "", "", false, 1};
  const event::RingDrained one{node_b, users, 1};
  CHECK_FALSE(Watch(make_drops_are_counted)(accepted)(refused)(one)(accepted)(one).violated());
  CHECK(Watch(make_drops_are_counted)(accepted)(accepted)(one).violated());  // one made room for the other
  CHECK_FALSE(Watch(make_drops_are_counted)(accepted)(event::NodeCrashed{node_b, false, 0})(accepted)(one).violated());
}

TEST_CASE("replies_pair_with_requests") {
  const auto request = [](std::uint64_t number) { return event::RequestSent{node_a, 0, 1, number}; };
  const auto ran = [](std::uint64_t number) { return event::RequestRan{node_a, 0, 1, number, false}; };
  const auto reply = [](std::uint64_t waiting, std::uint64_t cause, std::uint32_t epoch = 1) {
    return event::ReplyUsed{node_a, 0, epoch, waiting, cause};
  };
  Watch right(make_replies_pair_with_requests);
  right(request(1))(request(2))(ran(1))(reply(1, 1))(ran(2))(reply(2, 2))(request(3));
  right(event::ConnectionBroke{node_a, 0, 1, "reset"})(event::RequestRan{node_a, 0, 1, 3, true});
  CHECK(right.holds());

  CHECK(Watch(make_replies_pair_with_requests)(request(1))(request(2))(ran(1))(ran(2))(reply(2, 1)).violated());
  CHECK(Watch(make_replies_pair_with_requests)(request(1))(reply(1, 1)).violated());
  CHECK(Watch(make_replies_pair_with_requests)(request(1))(ran(1))(reply(1, 1, 2)).violated());
  CHECK(Watch(make_replies_pair_with_requests)(request(1))(ran(1))(reply(1, 1))(reply(1, 1)).violated());
  Watch broken(make_replies_pair_with_requests);
  broken(request(1))(ran(1))(event::ConnectionBroke{node_a, 0, 1, "reset"})(reply(1, 1));
  CHECK(broken.violated());
}

TEST_CASE("stale_token_refused") {
  const auto settled = [](std::int64_t token, std::int64_t attempts, JobState after, Outcome answered) {
    return event::JobSettled{node_a, "q",   "JOB",    "complete",
                             token,  JobState::active, attempts, after, after == JobState::absent ? 0 : attempts, answered};
  };
  Watch right(make_stale_token_refused);
  right(settled(1, 1, JobState::absent, Outcome::ok))(settled(1, 2, JobState::active, Outcome::stale));
  right(event::JobSettled{node_a, "q", "JOB", "retry", 1, JobState::absent, 0, JobState::absent, 0, Outcome::stale});
  CHECK(right.holds());
  CHECK(Watch(make_stale_token_refused)(settled(1, 2, JobState::absent, Outcome::ok)).violated());
  CHECK(Watch(make_stale_token_refused)(settled(3, 2, JobState::scheduled, Outcome::stale)).violated());
  CHECK(Watch(make_stale_token_refused)(settled(1, 2, JobState::active, Outcome::ok)).violated());

  const auto unique = [](std::int64_t last_claim) {
    Watch watch(make_stale_token_refused);
    watch.world.scenario_.design.token = JobToken::unique;
    watch(event::JobClaimed{node_a, "q", "JOB", "p", 900, 0, 1})(event::JobClaimed{node_b, "q", "JOB", "p", last_claim, 0, 1});
    watch(event::JobClaimed{node_b, "other q", "JOB", "p", 950, 0, 1});
    return watch;
  };
  CHECK_FALSE(unique(901)(settled(901, 1, JobState::absent, Outcome::ok)).violated());
  CHECK(unique(901)(settled(900, 1, JobState::active, Outcome::stale)).holds());
  CHECK(unique(901)(settled(900, 1, JobState::absent, Outcome::ok)).violated());
  CHECK(unique(901)(settled(1, 1, JobState::absent, Outcome::ok)).violated());
  // A failover that forgot the last claim: the one before it counts again.
  const event::JobWentBack back{"q", "JOB", "p", JobState::active, 1, 900};
  CHECK_FALSE(unique(901)(back)(settled(900, 1, JobState::absent, Outcome::ok)).violated());
  CHECK(unique(901)(back)(settled(901, 1, JobState::absent, Outcome::ok)).violated());
  // A row that came anew was never claimed: no token of the old one fits.
  CHECK(unique(901)(settled(901, 0, JobState::absent, Outcome::ok)).violated());
}

TEST_CASE("no_duplicate_admission") {
  const auto enqueued = [](JobState state, bool queued) {
    return event::JobEnqueued{"q", "JOB", "x", "g", state, queued, !queued};
  };
  Watch right(make_no_duplicate_admission);
  right(enqueued(JobState::absent, true))(enqueued(JobState::pending, false))(enqueued(JobState::dead, false));
  CHECK(right.holds());
  CHECK(Watch(make_no_duplicate_admission)(enqueued(JobState::dead, true)).violated());
  CHECK(Watch(make_no_duplicate_admission)(enqueued(JobState::active, true)).violated());
}

}  // namespace cohsim::oracles
