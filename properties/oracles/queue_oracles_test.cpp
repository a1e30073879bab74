// System-level properties of the queue, its messages and the loads behind it, on fabricated histories.
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
event::CoherenceApplied applied(const std::string& version, Actor node = node_a, const Maybe& row = {},
                                Verdict verdict = Verdict::stale) {
  return {node, money, gold, version, row, {}, verdict, 2};
}
Watch& ends(Watch& watch) {
  ++watch.step;
  watch.world.now_ = static_cast<TimeUs>(watch.step) * us_per_ms;
  watch.oracle->finish(true);
  return watch;
}
const std::vector<JournalContents::Intent> none;

}  // namespace

// comparators_agree ----------------------------------------------------------------------------------------------------

TEST_CASE("comparators_agree: the table and the script") {
  const auto l1 = [](const std::string& version, const std::string& row, Verdict verdict) {
    return Watch(make_comparators_agree)(applied(version, node_a, row, verdict)).violated();
  };
  CHECK_FALSE(l1(two, one, Verdict::applied));
  CHECK_FALSE(l1(v(2, "AAA"), one, Verdict::applied));
  CHECK_FALSE(l1(v(1, "ZZZ"), one, Verdict::stale));  // one payload, two namespaces: equal
  CHECK(l1(v(1, "ZZZ"), one, Verdict::applied));
  CHECK(l1(one, two, Verdict::applied));
  CHECK(l1(two, one, Verdict::stale));
  CHECK(Watch(make_comparators_agree)(applied(two)).oracle->exercised() == 0);  // no row, nothing compared

  const auto script = [](const std::string& version, const std::string& row, bool drops, const char* error = nullptr) {
    const valkey::Row before{row, {}};
    const valkey::Reply reply = error ? valkey::Reply::of_error(error) : valkey::Reply::of_integer(drops);
    const std::set<std::string, std::less<>> touched;
    Watch watch(make_comparators_agree);
    watch(event::ScriptRan{node_a, money, gold, "k", version, &before, drops ? nullptr : &before, &reply, &reply, false,
                           &touched, false, ""});
    return watch;
  };
  CHECK(script(two, one + "value", true).holds());
  CHECK(script(one, two, false).holds());
  CHECK(script("WAL0000000000Z", "WAL0000000000a", false).holds());
  CHECK(script("WAL0000000000Z", "WAL0000000000a", true).violated());   // as a locale has it
  CHECK(script("WAL0000000000a", "WAL0000000000Z", false).violated());
  CHECK(script(one, "WAL?????", true).oracle->exercised() == 0);        // short: deleted without a comparison
  CHECK(script(two, one, false, "ERR broken").oracle->exercised() == 0);
}

TEST_CASE("comparators_agree: the journal") {
  const auto call = [](const Maybe& remembered, const std::string& version, JournalVerdict verdict) {
    Watch watch(make_comparators_agree);
    watch(event::JournalCallBegan{node_a, money, gold, version, remembered});
    return watch(event::JournalCallEnded{node_a, money, gold, version, verdict}).violated();
  };
  CHECK_FALSE(call(one, two, JournalVerdict::failed));  // it compared, and something else failed
  CHECK_FALSE(call(two, two, JournalVerdict::remembered_stale));
  CHECK_FALSE(call({}, two, JournalVerdict::stale));
  CHECK(call(one, two, JournalVerdict::remembered_stale));
  CHECK(call(two, two, JournalVerdict::stale));

  const auto remembers = [](Watch& watch, const std::string& version, std::uint64_t number) -> Watch& {
    watch(event::JournalAttempted{node_a, money, number, JournalWrite::remember, &none, gold, version});
    return watch(event::JournalCommitted{node_a, money, number});
  };
  Watch upsert(make_comparators_agree);
  remembers(upsert, two, 1);
  CHECK_FALSE(upsert(event::JournalCallBegan{node_a, money, gold, three, two}).violated());
  remembers(upsert, three, 2);
  JournalContents back;  // a power loss takes the newest commit: the memory goes back, and no comparator is to blame
  back.applied[gold] = {two, 1};
  upsert(event::NodeCrashed{node_a, true, 1})(event::JournalRecovered{node_a, money, 1, true, &back});
  CHECK_FALSE(upsert(event::JournalCallBegan{node_a, money, gold, three, two}).violated());
  upsert(event::JournalCallEnded{node_a, money, gold, three, JournalVerdict::applied});
  remembers(upsert, three, 2);
  CHECK(upsert(event::JournalCallBegan{node_a, money, gold, three, two}).violated());  // the upsert kept the older one

  const auto replayed = [&](const std::string& version, const std::string& queue, Fanout fanout) {
    Watch watch(make_comparators_agree);
    watch.world.scenario_.design.fanout = fanout;
    remembers(watch, two, 1);
    watch(event::BusAnswered{node_a, queue, "J1", "enqueue", Outcome::ok});
    return watch(event::IntentReplayed{node_a, money, 1, "J1", gold, version, Outcome::ok}).violated();
  };
  CHECK_FALSE(replayed(three, shared, Fanout::shared));
  CHECK(replayed(two, shared, Fanout::shared));
  CHECK(replayed(one, "ecc.coh.money.a", Fanout::per_node));
  CHECK_FALSE(replayed(one, "ecc.coh.money.b", Fanout::per_node));  // another node's queue is never covered

  const auto compacted = [&](const std::string& version) {
    Watch watch(make_comparators_agree);
    remembers(watch, two, 1);
    const std::vector<JournalContents::Intent> gone{{1, "J1", gold, version, shared, true}};
    return watch(event::JournalAttempted{node_a, money, 2, JournalWrite::compact, &gone, {}, {}}).violated();
  };
  CHECK_FALSE(compacted(two));
  CHECK(compacted(three));
}

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

  Watch busy(make_nothing_is_stuck);  // a long queue of jobs that do not fail
  busy(up(node_a))(enqueued("slow", message(one)))(enqueued("good", message(one, iron), JobState::absent, iron));
  busy(claimed(node_a, "slow"));
  at(busy, 20'000)(settled("slow", "complete", JobState::absent))(claimed(node_a, "good"));
  CHECK_FALSE(ends(busy).violated());
}

// recovery_does_not_stampede -------------------------------------------------------------------------------------------

namespace {

Watch& loads(Watch& watch, int times, const std::string& id = gold, FetchOutcome outcome = FetchOutcome::loaded) {
  for (int i = 0; i < times; ++i) {
    watch(event::FlightBegan{node_b, money, id, 1});
    watch(event::FlightEnded{node_b, money, id, 1, outcome, {}});
  }
  return watch;
}
/// The script, or an admin, removes a row.
Watch& removes(Watch& watch, const std::string& value, bool by_script) {
  const valkey::Row row{one + value, {}};
  const valkey::Reply reply = valkey::Reply::of_integer(1);
  const std::set<std::string, std::less<>> touched;
  watch(event::RowChanged{"k", &row, nullptr, "DEL", true, money, gold});
  if (!by_script) return watch;
  return watch(event::ScriptRan{node_b, money, gold, "k", two, &row, nullptr, &reply, &reply, false, &touched, false, ""},
               true);
}
Watch recovered() {
  Watch watch(make_recovery_does_not_stampede);
  watch.world.truth_[gold] = {"new", two, 2};
  watch(event::ServerRestarted{false});
  return watch;
}

}  // namespace

TEST_CASE("recovery_does_not_stampede: a load of each name by each node within a ttl") {  // 2 nodes, 5 s
  Watch calm(make_recovery_does_not_stampede);
  CHECK(loads(calm, 9).oracle->exercised() == 0);  // no fault, no recovery
  Watch right = recovered();
  CHECK(loads(loads(right, 2), 2, iron).holds());
  CHECK(loads(right, 1).violated());
  Watch slowly = recovered();
  for (std::uint64_t s = 1; s <= 20; ++s) loads(at(slowly, 2'600 * s), 1);
  CHECK(slowly.holds());
  Watch faults = recovered();  // while they last, nothing is counted together
  for (int i = 0; i < 5; ++i) loads(faults, 2)(event::ConnectionBroke{node_b, 1, 1, "reset"});
  CHECK(faults.holds());
  Watch evicted = recovered();
  const valkey::Row row{one, {}};
  for (int i = 0; i < 5; ++i) loads(evicted, 2)(event::RowChanged{"k", &row, nullptr, "evicted", true, money, gold});
  CHECK(evicted.holds());
  Watch no_loads = recovered();
  CHECK_FALSE(loads(no_loads, 9, gold, FetchOutcome::l2_hit).violated());
  CHECK_FALSE(loads(no_loads, 9, gold, FetchOutcome::absent).violated());  // nothing keeps an absence
  Watch refused = recovered();  // L2 refused each: loaded all the same
  for (int i = 0; i < 3; ++i) {
    refused(event::FlightBegan{node_b, money, gold, 1})(event::WriteRefused{node_b, money, gold, one, "l2", "fill", two});
    refused(event::FlightEnded{node_b, money, gold, 1, FetchOutcome::l2_hit, two});
  }
  CHECK(refused.violated());
  Watch earlier = recovered();  // under way when the last fault came
  earlier(event::FlightBegan{node_b, money, gold, 1})(event::ConnectionUp{node_b, 1, 2});
  earlier(event::FlightEnded{node_b, money, gold, 1, FetchOutcome::loaded, {}});
  CHECK(loads(earlier, 2).holds());
  Watch live = recovered();  // names that are read count, though they are in no need of a load
  live(event::FetchEnded{node_a, money, iron, FetchOutcome::hit, one, "x", 0});
  CHECK(loads(live, 4).holds());
  CHECK(loads(live, 1).violated());
}

TEST_CASE("recovery_does_not_stampede: who removes a row on purpose asks for loads") {
  const auto removed_between = [](const std::string& value, bool by_script) {
    Watch watch = recovered();
    loads(watch, 2);
    removes(watch, value, by_script);
    return loads(watch, 2).violated();
  };
  CHECK_FALSE(removed_between("new", false));  // an admin's invalidate
  CHECK_FALSE(removed_between("old", true));   // a message did what it is there for
  CHECK(removed_between("new", true));         // a message took what was up to date
  Watch l1_only = recovered();
  loads(l1_only, 2)(event::L1Changed{node_a, money, gold, one, {}, {}, L1Cause::invalidate});
  CHECK(loads(l1_only, 2).holds());
  Watch coherence = recovered();  // what a message removes from L1 stands in L2
  loads(coherence, 2)(event::L1Changed{node_a, money, gold, one, {}, {}, L1Cause::coherence});
  CHECK(loads(coherence, 1).violated());
  Watch expires = recovered();
  const valkey::Row row{one + "new", {}};
  loads(expires, 2)(event::RowChanged{"k", &row, nullptr, "expired", true, money, gold});
  CHECK(loads(expires, 1).violated());
}

}  // namespace cohsim::oracles
