// The journal as domain.md section 6 tells it: crashes between its steps, replay, compaction, per_node.
#include "testing/catch.h"

#include "model/message.h"
#include "model/test_world.h"

namespace cohsim::test {

namespace {

/// A journal of node a with a version of name 1 that stands in L1.
struct JournalWorld : TestWorld {
  explicit JournalWorld(Scenario the_scenario = scenario_on(Lane::job)) : TestWorld(std::move(the_scenario)) {}
  const JournalContents& journal(Actor actor = a) { return *world.journal(actor, 0); }
  OperationState intend(const std::string& version, std::optional<Point> stop = {}) {
    return steps.intend(a, name(), version, stop);
  }
  JournalVerdict apply(const std::string& version) {
    return await(a, node(a).journal(0)->apply_and_remember(name().id, version)).value();
  }
  void crash_and_restart(bool power = false) {
    steps.crash(a, power);
    steps.restart(a);
  }
};

}  // namespace

TEST_CASE("journal: intend_and_enqueue records, enqueues and marks, a crash before each leaves what was done") {
  struct Case {
    Point stop;
    std::size_t recorded, enqueued;
  };
  const auto [stop, recorded, enqueued] =
      GENERATE(Case{Point::journal_record, 0, 0}, Case{Point::journal_enqueue, 1, 0}, Case{Point::journal_mark, 1, 1});
  JournalWorld t;
  const std::string version = t.steps.mint(a, "USR");
  CHECK(t.intend(version, stop).stopped_before == name_of(stop));
  CHECK(t.world.jobs().size() == enqueued);
  t.steps.crash(a, false);
  const std::size_t before = t.log.count("journal recovered");
  t.steps.restart(a);
  CHECK(t.log.count("journal recovered") == before + 1);
  REQUIRE(t.journal().intents.size() == recorded);
  // The start replayed what was recorded: a duplicate where it had been enqueued, and marked either way.
  CHECK(t.log.count("replayed", {"outcome=ok"}) == recorded - enqueued);
  CHECK(t.log.count("replayed", {"outcome=duplicate"}) == enqueued);
  for (const auto& [seq, intent] : t.journal().intents) CHECK((intent.enqueued && intent.version == version));
}

TEST_CASE("journal: apply_and_remember applies, then remembers, remembered and not newer touches nothing") {
  JournalWorld t;
  const std::string older = t.steps.mint(a, "USR");
  t.put(a, "v");
  const std::string newest = t.steps.mint(a, "USR");
  CHECK(t.apply(newest) == JournalVerdict::applied);
  CHECK(t.l1(a) == nullptr);
  CHECK(t.journal().applied.at(t.name().id).version == newest);
  t.put(a, "v");
  const Counters before = t.counters(a);
  CHECK(t.apply(older) == JournalVerdict::remembered_stale);
  CHECK(t.apply(newest) == JournalVerdict::remembered_stale);
  CHECK((t.l1(a) != nullptr && t.counters(a).coh_stale == before.coh_stale));
  CHECK(t.steps.invalidate(a, t.name(), std::nullopt).outcome == "ok");
  CHECK(t.apply(t.steps.mint(a, "USR")) == JournalVerdict::stale);  // no row: stale, and remembered all the same
  CHECK(t.journal().applied.at(t.name().id).version > newest);
}

TEST_CASE("journal: a crash between applying and remembering forgets, and the job comes again") {
  const Point point = GENERATE(Point::journal_apply, Point::apply_l1, Point::journal_remember);
  JournalWorld t;
  const OperationState stopped = t.steps.stop_next(a, point);
  t.steps.stop_next(b, Point::job_handle);
  const std::string version = t.steps.mint(a, "USR");
  t.steps.message({std::nullopt, std::nullopt, 0, to_bytes(CoherenceMessage{t.name().id, version})});
  t.steps.advance(2 * us_per_s);
  if (t.steps.state_of(stopped.operation).stopped_before.empty()) return;  // b took the job
  t.crash_and_restart();
  CHECK(t.journal().applied.empty());
  t.world.settle(true);
  CHECK(t.world.jobs().empty());
  CHECK(t.journal(a).applied.size() + t.journal(b).applied.size() == 1);
}

TEST_CASE("journal: a process crash keeps what was acknowledged, a power loss may take the newest of it") {
  JournalWorld t;
  for (int i = 0; i < 3; ++i) t.intend(t.steps.mint(a, "USR"));
  SECTION("process crash") {
    t.crash_and_restart();
    CHECK(t.journal().intents.size() == 3);
  }
  SECTION("a power loss that takes one byte, and so one transaction: a mark, which the replay sets again") {
    t.strategy.answers[Site::disk_tail] = {1};
    t.crash_and_restart(true);
    CHECK(t.journal().intents.size() == 3);
    CHECK(t.log.count("node crashed", {"power=1 lost_bytes=1"}) == 1);
    CHECK(t.log.count("journal recovered", {"transactions=5"}) == 1);
  }
  SECTION("a power loss that takes all that no checkpoint synced") {
    t.strategy.answers[Site::disk_tail] = {1'000'000};
    t.crash_and_restart(true);
    CHECK(t.journal().intents.empty());
  }
}

TEST_CASE("journal: replay brings what is not covered, in order of its numbers, compaction takes the rest") {
  JournalWorld t;
  t.steps.stop_next(a, Point::job_handle);
  t.steps.stop_next(b, Point::job_handle);
  std::vector<std::string> versions;
  for (int i = 0; i < 3; ++i) {
    versions.push_back(t.steps.mint(a, "USR"));
    t.intend(versions.back());
  }
  t.apply(versions[1]);
  t.world.host().restart(false);  // the queue is gone
  t.steps.advance(us_per_s);
  CHECK(t.steps.replay(a, 0, std::nullopt).outcome == "ok");
  CHECK(t.log.count("replayed") == 1);
  CHECK(t.log.count("replayed", {"version=" + versions[2], "outcome=ok"}) == 1);
  t.steps.compact(a, 0, std::nullopt);
  REQUIRE(t.journal().intents.size() == 1);
  CHECK(t.journal().intents.begin()->second.version == versions[2]);
}

TEST_CASE("journal: per_node records one intent a queue in one transaction, own memory covers own queue only") {
  Scenario scenario = scenario_on(Lane::job);
  scenario.design.fanout = Fanout::per_node;
  JournalWorld t(scenario);
  t.steps.crash(b, false);
  const std::size_t writes = t.log.count("journal writes", {"write=record"});
  t.intend(t.steps.mint(a, "USR"));
  CHECK(t.log.count("journal writes", {"write=record", "intents=2"}) == writes + 1);
  t.steps.advance(2 * us_per_s);  // a applies its own job
  CHECK(t.journal().applied.size() == 1);
  t.steps.compact(a, 0, std::nullopt);
  REQUIRE(t.journal().intents.size() == 1);
  CHECK(t.journal().intents.begin()->second.queue == "ecc.coh.users.b");
  t.world.settle(true);
  CHECK(t.journal(b).applied.size() == 1);
}

TEST_CASE("journal: a job id minted again after a step back of the clock and a restart is not recorded twice") {
  JournalWorld t;
  t.steps.stop_next(a, Point::job_handle);
  t.steps.stop_next(b, Point::job_handle);
  const TimeUs then = t.world.now();
  CHECK(t.intend("USR00000000001").outcome == "ok");
  const std::string job = t.journal().intents.begin()->second.job;
  t.steps.crash(a, false);
  t.steps.restart(a);
  t.steps.clock(a, then - t.world.now());
  CHECK(t.intend("USR00000000002").outcome == "failed");
  CHECK(t.journal().intents.size() == 1);
  CHECK(t.journal().intents.begin()->second.job == job);
  CHECK(t.intend("USR00000000002").outcome == "ok");  // the generator has moved on
}

}  // namespace cohsim::test
