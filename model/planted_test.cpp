// Every planted defect acts: the same short schedule, in an honest world and in one with the defect, ends in two ways.
#include "testing/catch.h"

#include "model/defects.h"
#include "model/message.h"
#include "model/test_world.h"

namespace cohsim::test {

namespace {

/// What the schedule tells of an honest world, and of one with the defect: "honest, planted: other".
std::string told(Defect defect, const Scenario& scenario, const std::function<std::string(TestWorld&)>& schedule) {
  TestWorld honest(scenario), planted(scenario);
  planted.world.plant(defect);
  const std::string first = schedule(honest);
  return first + ", planted: " + schedule(planted);
}

std::string value_or_none(const L1Row* row) { return row != nullptr ? row->value : "none"; }
std::string payload_to(TestWorld& t, const std::string& version) { return to_bytes(CoherenceMessage{t.name().id, version}); }
const JournalContents& journal(TestWorld& t) { return *t.world.journal(a, 0); }
JournalVerdict hear(TestWorld& t, const std::string& version, std::uint32_t n = 1) {
  return t.await(a, t.node(a).journal(0)->apply_and_remember(t.name(n).id, version)).value();
}
/// Jobs come to nobody: both nodes stop before they handle one.
void stop_handlers(TestWorld& t) {
  t.steps.stop_next(a, Point::job_handle);
  t.steps.stop_next(b, Point::job_handle);
}
void crash_and_restart(TestWorld& t, Actor node) {
  t.steps.crash(node, false);
  t.steps.restart(node);
  t.steps.advance(us_per_s);
}

}  // namespace

TEST_CASE("planted at the table: equal is newer, flights are not joined, frames shift, rows lose their ttl") {
  const Scenario lane_none = scenario_on(Lane::none);
  CHECK(told(Defect::l1_drops_equal, scenario_on(Lane::broadcast), [](TestWorld& t) {
          t.steps.message({std::nullopt, a, 0, payload_to(t, *t.put(a, "v").version)});
          t.steps.advance(us_per_s / 2);
          return value_or_none(t.l1(a));
        }) == "v, planted: none");
  CHECK(told(Defect::second_flight, lane_none, [](TestWorld& t) {
          for (int i = 0; i < 3; ++i) t.world.scheduler().spawn(a, operation::fetch(t.world, a, 0, t.name().id, 0));
          t.world.run_until_quiet(us_per_s);
          return std::to_string(t.log.count("flight began"));
        }) == "1, planted: 3");
  CHECK(told(Defect::frame_off_by_one, lane_none, [](TestWorld& t) {
          t.put(a, "value");
          return *t.fetch(b).value;
        }) == "value, planted: alue");
  CHECK(told(Defect::ttl_lost_on_write, lane_none, [](TestWorld& t) {
          t.put(a, "v");
          return valkey::to_text(t.steps.raw({"PTTL", l2_key("users", t.name().id)}));
        }) == "(integer) 5000, planted: (integer) -1");
  CHECK(told(Defect::waiter_forgotten, lane_none, [](TestWorld& t) {
          for (int i = 0; i < 3; ++i) t.world.scheduler().spawn(a, operation::fetch(t.world, a, 0, t.name().id, 0));
          t.world.run_until_quiet(us_per_s);
          return std::to_string(t.log.count("waiter answered"));
        }) == "3, planted: 2");
  CHECK(told(Defect::kind_unchecked, lane_none, [](TestWorld& t) {
          return t.steps.fetch(a, {0, "WLT00000000001"}, std::nullopt).outcome;
        }) == "refused, planted: absent");
  CHECK(told(Defect::l1_compares_namespaces, scenario_on(Lane::broadcast), [](TestWorld& t) {
          t.put(a, "v");
          t.steps.message({std::nullopt, a, 0, payload_to(t, t.steps.mint(a, "TXN"))});  // newer, and TXN < USR
          t.steps.advance(us_per_s / 2);
          return value_or_none(t.l1(a));
        }) == "none, planted: v");
}

TEST_CASE("planted at the node: a crash keeps L1, a connection comes back without its subscription, a ring overwrites") {
  CHECK(told(Defect::crash_keeps_memory, scenario_on(Lane::none), [](TestWorld& t) {
          t.put(a, "v");
          crash_and_restart(t, a);
          return value_or_none(t.l1(a));
        }) == "none, planted: v");
  CHECK(told(Defect::subscription_not_renewed, scenario_on(Lane::broadcast), [](TestWorld& t) {
          t.put(a, "old");
          t.fetch(b);
          t.world.network().break_connection(3, "test");  // b's subscriber
          t.steps.advance(us_per_s);
          t.put(a, "new");
          t.steps.advance(us_per_s / 2);
          return value_or_none(t.l1(b));
        }) == "none, planted: old");
  CHECK(told(Defect::any_separator, scenario_on(Lane::broadcast), [](TestWorld& t) {
          std::string bytes = payload_to(t, t.steps.mint(a, "USR"));
          bytes[branded_size] = '-';
          t.steps.message({std::nullopt, a, 0, bytes});
          t.steps.advance(us_per_s / 2);
          return std::to_string(t.log.count("malformed"));
        }) == "1, planted: 0");
  Scenario small_ring = scenario_on(Lane::broadcast);
  small_ring.tables[0].ring_capacity = 1;
  CHECK(told(Defect::ring_overwrites, small_ring, [](TestWorld& t) {
          crash_and_restart(t, b);  // rings are made at the start
          const OperationState stopped = t.steps.stop_next(b, Point::ring_apply);
          const std::string first = t.steps.mint(a, "USR"), second = t.steps.mint(a, "USR");
          t.steps.message({std::nullopt, b, 0, payload_to(t, first)});
          t.steps.message({std::nullopt, b, 0, payload_to(t, second)});
          t.steps.advance(us_per_s / 10);
          t.steps.resume(stopped.operation, std::nullopt);
          t.steps.advance(us_per_s / 10);
          return std::string(t.log.count("coherence applied", {"version=" + second}) == 1 ? "second" : "first");
        }) == "first, planted: second");
}

TEST_CASE("planted at the queue: any token settles, a job that is there is admitted again") {
  const auto payload = [](TestWorld& t) { return t.world.host().queues().at("q").find("JOB00000000001")->payload; };
  CHECK(told(Defect::token_ignored, scenario_on(Lane::job), [](TestWorld& t) {
          t.world.host().enqueue("q", "JOB00000000001", "p", "g");
          const std::int64_t token = t.world.host().claim(a, "q")->token;
          const Outcome outcome = t.world.host().settle_job(a, "q", "JOB00000000001", token + 1, true);
          return std::string(name_of(outcome));
        }) == "stale, planted: ok");
  CHECK(told(Defect::enqueue_overwrites, scenario_on(Lane::job), [&](TestWorld& t) {
          t.world.host().enqueue("q", "JOB00000000001", "first", "g");
          t.world.host().enqueue("q", "JOB00000000001", "second", "g");
          return payload(t);
        }) == "first, planted: second");
}

TEST_CASE("planted at the journal's outbox: marks get lost, replay and compaction look at no coverage") {
  const Scenario jobs = scenario_on(Lane::job);
  CHECK(told(Defect::mark_lost, jobs, [](TestWorld& t) {
          stop_handlers(t);
          t.steps.intend(a, t.name(), t.steps.mint(a, "USR"), std::nullopt);
          return std::to_string(journal(t).intents.begin()->second.enqueued);
        }) == "1, planted: 0");
  CHECK(told(Defect::disconnected_is_marked, jobs, [](TestWorld& t) {
          t.steps.partition(a, actor_server);
          t.steps.intend(a, t.name(), t.steps.mint(a, "USR"), std::nullopt);
          return std::to_string(journal(t).intents.begin()->second.enqueued);
        }) == "0, planted: 1");
  CHECK(told(Defect::replay_trusts_marks, jobs, [](TestWorld& t) {
          stop_handlers(t);
          t.steps.intend(a, t.name(), t.steps.mint(a, "USR"), std::nullopt);
          t.world.host().restart(false);  // the queue is gone
          t.steps.advance(us_per_s);
          t.steps.replay(a, 0, std::nullopt);
          return std::to_string(t.log.count("replayed"));
        }) == "1, planted: 0");
  const auto covered = [](TestWorld& t) {
    stop_handlers(t);
    const std::string version = t.steps.mint(a, "USR");
    t.steps.intend(a, t.name(), version, std::nullopt);
    hear(t, version);
  };
  CHECK(told(Defect::replay_ignores_coverage, jobs, [&](TestWorld& t) {
          covered(t);
          t.steps.replay(a, 0, std::nullopt);
          return std::to_string(t.log.count("replayed"));
        }) == "0, planted: 1");
  CHECK(told(Defect::compacts_everything, jobs, [&](TestWorld& t) {
          covered(t);
          t.steps.intend(a, t.name(2), t.steps.mint(a, "USR"), std::nullopt);  // nothing covers this one
          t.steps.compact(a, 0, std::nullopt);
          return std::to_string(journal(t).intents.size());
        }) == "1, planted: 0");
}

TEST_CASE("planted at the journal's memory: it comes before the deed, compares namespaces, loses its last record") {
  const Scenario jobs = scenario_on(Lane::job);
  CHECK(told(Defect::remembers_first, jobs, [](TestWorld& t) {
          t.steps.partition(a, actor_server);  // its drop_l2 cannot be answered
          hear(t, t.steps.mint(a, "USR"));
          return std::to_string(journal(t).applied.size());
        }) == "0, planted: 1");
  CHECK(told(Defect::memory_compares_namespaces, jobs, [](TestWorld& t) {
          hear(t, "USR00000000001");
          return std::string(name_of(hear(t, "TXN00000000002")));
        }) == "stale, planted: remembered_stale");  // honest: newer, with no row to drop
  CHECK(told(Defect::recovery_skips_the_last, jobs, [](TestWorld& t) {
          hear(t, t.steps.mint(a, "USR"));
          crash_and_restart(t, a);
          return std::to_string(journal(t).applied.size());
        }) == "1, planted: 0");
  CHECK(told(Defect::failed_drop_is_remembered, jobs, [](TestWorld& t) {
          t.steps.partition(a, actor_server);
          hear(t, t.steps.mint(a, "USR"));
          return std::to_string(journal(t).applied.size());
        }) == "0, planted: 1");
  CHECK(told(Defect::recovery_skips_a_record, jobs, [](TestWorld& t) {
          for (std::uint32_t n = 1; n <= 3; ++n) hear(t, t.steps.mint(a, "USR"), n);
          crash_and_restart(t, a);
          return std::to_string(journal(t).applied.size());
        }) == "3, planted: 2");
}

TEST_CASE("planted at the journal's memory: an older message overwrites it, drops, removes, and a write is told of early") {
  Scenario jobs = scenario_on(Lane::job);
  jobs.tables[0].ttl_us = 60 * us_per_s;
  const std::string older = "USR00000000001", newest = "USR00000000002";
  CHECK(told(Defect::memory_goes_back, jobs, [&](TestWorld& t) {
          hear(t, newest);
          hear(t, older);
          return journal(t).applied.at(t.name().id).version;
        }) == newest + ", planted: " + older);
  CHECK(told(Defect::stale_job_drops, jobs, [&](TestWorld& t) {
          hear(t, newest);
          return std::string(name_of(hear(t, older)));
        }) == "remembered_stale, planted: stale");  // planted: it went to the layers, which had no row
  CHECK(told(Defect::stale_call_removes, jobs, [&](TestWorld& t) {
          stop_handlers(t);
          hear(t, older);
          t.put(a, "v");
          hear(t, older);
          return value_or_none(t.l1(a));
        }) == "v, planted: none");
  CHECK(told(Defect::acknowledges_early, jobs, [&](TestWorld& t) {
          t.world.scheduler().spawn(a, operation::intend(t.world, a, 0, t.name().id, older, 0));
          t.steps.advance(Journal::disk_low_us / 2);  // nothing can be on the disk yet
          return std::to_string(t.log.count("journal committed"));
        }) == "0, planted: 1");
}

}  // namespace cohsim::test
