// dedup_is_sound and nothing_is_stuck, on fabricated histories.
#include "properties/oracles/fake_world.h"
#include "testing/catch.h"

namespace cohsim::oracles {

namespace {

using Maybe = std::optional<std::string>;

const std::string one = v(1, "WAL"), two = v(2, "WAL"), three = v(3, "WAL");
const std::string gold = v(1000, "WAL"), iron = v(1001, "WAL");
const std::string shared = "ecc.coh.money";

std::string message(const std::string& version, const std::string& id = gold) { return id + ":" + version; }

/// Waits in steps of a millisecond.
Watch& at(Watch& watch, std::uint64_t ms) {
  watch.step = ms - 1;
  return watch;
}
event::JobEnqueued enqueued(const char* job, const std::string& payload, JobState before = JobState::absent,
                            const std::string& group = gold, const std::string& queue = shared) {
  const bool queued = before == JobState::absent;
  return {queue, job, payload, group, before, queued, !queued};
}
event::JobClaimed claimed(Actor node, const char* job, std::int64_t token = 1) { return {node, shared, job, "", token, 0}; }
event::JobSettled settled(const char* job, const char* verb, JobState after, JobState before = JobState::active) {
  return {node_a, shared, job, verb, 1, before, 1, after, 1, after == JobState::dead ? Outcome::dead : Outcome::ok};
}
event::JobMoved moved(const char* job, const char* verb) { return {shared, job, verb, 1}; }
event::NodeStarted up(Actor node) { return {node, false, 0}; }
event::CoherenceApplied applied(const std::string& version, Actor node) {
  return {node, money, gold, version, {}, {}, Verdict::stale, 2};
}
Watch& ends(Watch& watch) {
  ++watch.step;
  watch.world.now_ = static_cast<TimeUs>(watch.step) * us_per_ms;
  watch.oracle->finish(true);
  return watch;
}

}  // namespace

// dedup_is_sound -------------------------------------------------------------------------------------------------------

TEST_CASE("dedup_is_sound: an enqueue that is a duplicate") {
  const auto again = [](JobState state, const std::string& standing = message(two), const Maybe& done = {},
                        Actor node = node_b) {
    Watch watch(make_dedup_is_sound);
    watch(enqueued("J1", standing));
    if (done) watch(applied(*done, node));
    watch(enqueued("J1", message(two), state));
    return watch;
  };
  for (const JobState due : {JobState::pending, JobState::scheduled, JobState::active}) CHECK(again(due).holds());
  CHECK(again(JobState::dead).violated());
  CHECK(again(JobState::dead, message(two), one).violated());    // only an older one has run
  CHECK(again(JobState::dead, message(two), two).holds());       // applied, its completion lost, and then dead
  CHECK(again(JobState::dead, message(two), three).holds());     // superseded
  // The id comes again for another message: due is only what stands there.
  CHECK(again(JobState::pending, message(three)).holds());
  CHECK(again(JobState::pending, message(one)).violated());
  CHECK(again(JobState::pending, message(three, iron)).violated());
  CHECK(again(JobState::pending, message(three, iron), two).holds());

  Watch malformed(make_dedup_is_sound);
  CHECK_FALSE(malformed(enqueued("J1", "nonsense"))(enqueued("J1", "nonsense", JobState::dead)).violated());
  Watch anew(make_dedup_is_sound);  // completed or lost with the server: the next of that id is a job of its own
  anew(enqueued("J1", message(one)))(settled("J1", "complete", JobState::absent))(enqueued("J1", message(two)));
  CHECK(anew(enqueued("J1", message(two), JobState::pending)).holds());
  const std::string of_one = message(one);
  const event::JobWentBack back{shared, "J1", of_one, JobState::pending, 1, 1};
  CHECK(anew(back)(enqueued("J1", message(one), JobState::pending)).holds());
  anew(event::JobWentBack{shared, "J1", {}, JobState::absent, 0, 0})(enqueued("J1", message(two)));
  CHECK(anew(enqueued("J1", message(two), JobState::pending)).holds());
  Watch older(make_dedup_is_sound);  // the failover left what the suppressed message does not equal
  older(enqueued("J1", message(two)))(back);
  CHECK(older(enqueued("J1", message(two), JobState::pending)).violated());
  anew(event::ServerRestarted{false})(enqueued("J1", message(three)));
  CHECK(anew(enqueued("J1", message(three), JobState::pending)).holds());
}

TEST_CASE("dedup_is_sound: under per_node only the node that the queue serves counts") {
  const auto again = [](Actor node) {
    Watch watch(make_dedup_is_sound, [](FakeWorld& world) { world.scenario_.design.fanout = Fanout::per_node; });
    watch(enqueued("J1", message(two), JobState::absent, gold, "ecc.coh.money.b"))(applied(two, node));
    return watch(enqueued("J1", message(two), JobState::dead, gold, "ecc.coh.money.b")).violated();
  };
  CHECK_FALSE(again(node_b));
  CHECK(again(node_a));
}

TEST_CASE("dedup_is_sound: a journal that remembers") {
  const event::JournalCallEnded stale{node_a, money, gold, two, JournalVerdict::remembered_stale};
  const auto remembers = [&](const Maybe& done, Actor node = node_a) {
    Watch watch(make_dedup_is_sound);
    if (done) watch(applied(*done, node));
    watch(event::NodeCrashed{node_a, true, 0});  // rows are gone; what was done was done
    return watch(stale).violated();
  };
  CHECK_FALSE(remembers(two));
  CHECK_FALSE(remembers(three));
  CHECK(remembers(one));
  CHECK(remembers({}));          // remembered before it was applied
  CHECK(remembers(two, node_b));  // another node's effect, under another node's memory
}

// nothing_is_stuck -----------------------------------------------------------------------------------------------------

namespace {

/// a claims a job at 2 ms and dies at 5 ms: its lease ends at 30 002 ms.
Watch orphaned(bool b_lives = true) {
  Watch watch(make_nothing_is_stuck);
  watch(up(node_a));
  if (b_lives) watch(up(node_b), true);
  at(watch, 2)(enqueued("J1", message(one)), true)(claimed(node_a, "J1"));
  at(watch, 5)(event::NodeCrashed{node_a, false, 0});
  return watch;
}

}  // namespace

TEST_CASE("nothing_is_stuck: the lease of a dead holder") {
  Watch right = orphaned();
  CHECK(at(right, 31'500)(moved("J1", "reap")).holds());
  Watch late = orphaned();
  CHECK(at(late, 32'500)(moved("J1", "reap")).violated());
  Watch never = orphaned();
  at(never, 40'000);
  CHECK(ends(never).violated());
  Watch restarted = orphaned();  // the same node, another process
  at(restarted, 100)(up(node_a));
  CHECK(at(restarted, 33'000)(moved("J1", "reap")).violated());
  Watch settles = orphaned();    // a zombie's completion
  at(settles, 29'000)(settled("J1", "complete", JobState::absent));
  CHECK_FALSE(ends(at(settles, 60'000)).violated());
  Watch lost = orphaned();
  at(lost, 29'000)(event::ServerRestarted{false});
  CHECK_FALSE(ends(at(lost, 60'000)).violated());
  for (const JobState state : {JobState::absent, JobState::pending, JobState::active}) {
    Watch failed_over = orphaned();  // the claim is forgotten, or nobody knows whose it was
    at(failed_over, 29'000)(event::JobWentBack{shared, "J1", message(one), state, 0, 0});
    CHECK_FALSE(ends(at(failed_over, 60'000)).violated());
  }
  Watch alive(make_nothing_is_stuck);  // standing still is not dead
  alive(up(node_a))(up(node_b))(enqueued("J1", message(one)))(claimed(node_a, "J1"));
  CHECK_FALSE(ends(at(alive, 60'000)).violated());
}

TEST_CASE("nothing_is_stuck: nobody is blamed while no consumer lives") {
  Watch nobody = orphaned(false);
  CHECK_FALSE(ends(at(nobody, 60'000)).violated());
  Watch comes = orphaned(false);
  at(comes, 50'000)(up(node_b));
  CHECK_FALSE(at(comes, 51'900)(moved("J1", "reap")).violated());
  const auto away = [](auto off, auto on, std::uint64_t reaped_ms) {
    Watch watch = orphaned();
    at(watch, 20'000)(off);
    at(watch, 50'000)(on);
    return at(watch, reaped_ms)(moved("J1", "reap")).violated();
  };
  const event::Partitioned cut{node_b, actor_server, true}, healed{actor_world, actor_world, false};
  const event::ConnectionBroke broke{node_b, 2, 1, "reset"};
  const event::ConnectionUp again{node_b, 2, 2};
  CHECK_FALSE(away(cut, healed, 51'900));
  CHECK(away(cut, healed, 52'100));
  CHECK_FALSE(away(cut, event::SettleBegan{}, 51'900));
  CHECK_FALSE(away(broke, again, 51'900));
  CHECK(away(broke, again, 52'100));
  CHECK(away(event::Partitioned{node_b, node_a, true}, healed, 51'900));  // the server is within its reach
  // Another link that heals, or one of two ways, is no link of b's.
  const event::Partitioned other{node_a, actor_server, false}, back{actor_server, node_b, true};
  Watch still_cut = orphaned();
  at(still_cut, 20'000)(cut)(back)(other)(event::Partitioned{node_b, actor_server, false});
  CHECK_FALSE(at(still_cut, 60'000)(moved("J1", "reap")).violated());
  Watch healed_alone = orphaned();
  at(healed_alone, 20'000)(cut);
  at(healed_alone, 50'000)(event::Partitioned{node_b, actor_server, false});
  CHECK(at(healed_alone, 52'100)(moved("J1", "reap")).violated());
  Watch stands = orphaned();  // b stands still for 30 s, twice told
  at(stands, 20'000)(event::NodePaused{node_b, 30 * us_per_s})(event::NodePaused{node_b, us_per_s});
  CHECK_FALSE(at(stands, 51'900)(moved("J1", "reap")).violated());
  Watch stood = orphaned();
  at(stood, 20'000)(event::NodePaused{node_b, 30 * us_per_s});
  CHECK(at(stood, 52'100)(moved("J1", "reap")).violated());
  Watch reborn = orphaned();  // another process is not held
  at(reborn, 20'000)(event::NodePaused{node_b, 300 * us_per_s})(event::NodeCrashed{node_b, false, 0})(up(node_b));
  CHECK(at(reborn, 32'500)(moved("J1", "reap")).violated());
  Watch slow = orphaned();  // beats of 2 s
  slow(event::ClockDrifts{node_b, -500'000});
  CHECK_FALSE(at(slow, 33'900)(moved("J1", "reap")).violated());
  Watch slower = orphaned();
  slower(event::ClockDrifts{node_b, -500'000});
  CHECK(at(slower, 34'100)(moved("J1", "reap")).violated());
  Watch goes = orphaned();  // it lived long enough, then died as well
  at(goes, 33'000)(event::NodeCrashed{node_b, false, 0});
  CHECK(goes.violated());
}

TEST_CASE("nothing_is_stuck: a job that always fails") {
  // "bad" is claimed at once and fails after `ms`; "good" stands behind it.
  const auto waits = [](std::uint64_t ms, JobState bad_ends, const std::string& group = iron, bool b_away = false) {
    Watch watch(make_nothing_is_stuck);
    watch(up(node_a))(enqueued("bad", "nonsense"))(enqueued("good", message(one, group), JobState::absent, group));
    watch(claimed(node_a, "bad"));
    if (b_away) watch(event::Partitioned{node_a, actor_server, true});
    at(watch, 10 + ms)(settled("bad", "retry", bad_ends == JobState::dead ? JobState::dead : JobState::scheduled));
    if (b_away) watch(event::Partitioned{actor_world, actor_world, false});
    watch(claimed(node_a, "good"))(settled("good", "complete", JobState::absent));
    if (bad_ends == JobState::absent) {
      watch(moved("bad", "promote"))(claimed(node_a, "bad", 2))(settled("bad", "complete", JobState::absent));
    }
    ends(watch);
    return watch;
  };
  CHECK(waits(5'900, JobState::dead).holds());
  CHECK(waits(6'100, JobState::dead).violated());
  CHECK(waits(6'100, JobState::scheduled).violated());
  CHECK_FALSE(waits(6'100, JobState::absent).violated());             // in the end it did not fail
  CHECK_FALSE(waits(6'100, JobState::dead, gold).violated());         // its own name
  CHECK_FALSE(waits(6'100, JobState::dead, iron, true).violated());   // nobody could have claimed it
}

TEST_CASE("nothing_is_stuck: attempts add up, one job at a time, and hang as long as their leases") {
  const auto fails = [](Watch& watch, std::uint64_t from, const char* job) {
    at(watch, from)(claimed(node_a, job));
    at(watch, from + 3'500)(settled(job, "retry", JobState::scheduled))(moved(job, "promote"));
  };
  const auto twice = [&](const char* second) {
    Watch watch(make_nothing_is_stuck);
    watch(up(node_a))(enqueued("x", "nonsense"))(enqueued("y", "nonsense"));
    watch(enqueued("good", message(one, iron), JobState::absent, iron));
    fails(watch, 10, "x");
    fails(watch, 4'000, second);
    at(watch, 8'000)(claimed(node_a, "good"));
    return ends(watch).violated();
  };
  CHECK(twice("x"));
  CHECK_FALSE(twice("y"));

  Watch hangs(make_nothing_is_stuck);  // never settled; its lease has ended, nobody has taken it back yet
  hangs(up(node_a))(enqueued("bad", "nonsense"))(enqueued("good", message(one, iron), JobState::absent, iron));
  hangs(claimed(node_a, "bad"));
  CHECK_FALSE(ends(at(hangs, 20'000)).violated());  // it may yet come to an end
  at(hangs, 30'010)(claimed(node_a, "good"));
  CHECK(ends(hangs).violated());

  Watch over(make_nothing_is_stuck);  // taken back late; what stood pending after its lease was not held up by it
  over(up(node_a))(enqueued("bad", "nonsense"))(claimed(node_a, "bad"));
  at(over, 29'000)(enqueued("good", message(one, iron), JobState::absent, iron));
  at(over, 39'000)(moved("bad", "reap"))(claimed(node_a, "good"));
  CHECK_FALSE(ends(over).violated());

  Watch unclaimed(make_nothing_is_stuck);  // pending to the end
  unclaimed(up(node_a))(enqueued("bad", "nonsense"))(enqueued("good", message(one, iron), JobState::absent, iron));
  unclaimed(claimed(node_a, "bad"));
  at(unclaimed, 9'000)(settled("bad", "retry", JobState::dead));
  CHECK(ends(unclaimed).violated());

  Watch busy(make_nothing_is_stuck);  // a long queue of jobs that do not fail
  busy(up(node_a))(enqueued("slow", message(one)))(enqueued("good", message(one, iron), JobState::absent, iron));
  busy(claimed(node_a, "slow"));
  at(busy, 20'000)(settled("slow", "complete", JobState::absent))(claimed(node_a, "good"));
  CHECK_FALSE(ends(busy).violated());
}

}  // namespace cohsim::oracles
