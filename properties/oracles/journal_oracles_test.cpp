// Properties of journals and of the job lane's callers, on fabricated histories.
#include <rapidcheck.h>

#include "properties/oracles/fake_world.h"
#include "testing/catch.h"

namespace cohsim::oracles {

namespace {

using Maybe = std::optional<std::string>;
using Intents = std::vector<JournalContents::Intent>;

const std::string name = v(9, "WAL"), one = v(1, "WAL"), two = v(2, "WAL"), three = v(3, "WAL");
const Intents none;

JournalContents::Intent intent(std::int64_t seq, const std::string& version, const std::string& queue = "ecc.coh.money") {
  return {seq, v(static_cast<std::uint64_t>(seq), "JOB"), name, version, queue, false};
}
event::JournalAttempted attempt(std::uint64_t transaction, JournalWrite write, const Intents& intents) {
  return {node_a, money, transaction, write, &intents, {}, {}};
}
event::JournalAttempted remembering(std::uint64_t transaction, const std::string& version) {
  return {node_a, money, transaction, JournalWrite::remember, &none, name, version};
}
event::JournalCommitted committed(std::uint64_t transaction) { return {node_a, money, transaction}; }
event::JournalCallBegan call(const std::string& version, const Maybe& remembered = {}) {
  return {node_a, money, name, version, remembered};
}
event::JournalCallEnded ended(const std::string& version, JournalVerdict verdict) {
  return {node_a, money, name, version, verdict};
}
event::CoherenceApplied applied(Actor node, const std::string& version, const Maybe& row = {}, const Maybe& kept = {}) {
  return {node, money, name, version, row, kept, row && !kept ? Verdict::applied : Verdict::stale, 2};
}
event::DropAnswered dropped(const std::string& version, Outcome outcome = Outcome::ok) {
  return {node_a, money, name, version, outcome, 0};
}
event::JournalRecovered recovered(const JournalContents& contents, std::uint64_t transactions, bool power) {
  return {node_a, money, transactions, power, &contents};
}
JournalContents holding(const Maybe& version) {
  JournalContents contents;
  if (version) contents.applied[name] = {*version, 1};
  return contents;
}
void remember(Watch& watch, std::uint64_t transaction, const std::string& version) {
  watch(remembering(transaction, version))(committed(transaction));
}

}  // namespace

TEST_CASE("memory_never_goes_back") {
  const JournalContents empty, with_one = holding(one), with_two = holding(two), with_three = holding(three);
  Watch right(make_memory_never_goes_back);
  remember(right, 1, one);
  remember(right, 2, two);
  right(call(one, two))(event::NodeCrashed{node_a, true, 9})(recovered(with_one, 1, true))(call(two, one));
  right(event::NodeCrashed{node_a, true, 9})(recovered(empty, 0, true))(call(two));
  remember(right, 1, two);
  right(remembering(2, three))(event::NodeCrashed{node_a, false, 0})(recovered(with_three, 2, false));  // unacknowledged
  CHECK(right.holds());

  Watch forgot(make_memory_never_goes_back), older(make_memory_never_goes_back), crash(make_memory_never_goes_back);
  Watch power(make_memory_never_goes_back), state(make_memory_never_goes_back);
  for (Watch* watch : {&forgot, &older, &crash, &power, &state}) remember(*watch, 1, two);
  CHECK(forgot(call(three)).violated());
  CHECK(older(call(three, one)).violated());
  CHECK(crash(recovered(with_one, 1, false)).violated());
  CHECK(power(recovered(with_three, 1, true)).violated());
  state.world.journals_[node_a] = with_one;
  remember(state, 2, one);
  CHECK(state.violated());
}

TEST_CASE("remembered_stale_is_inert") {
  Watch right(make_remembered_stale_is_inert);
  right(call(one, two)).in(2)(applied(node_a, three, two, {})).in(1)(ended(one, JournalVerdict::remembered_stale));
  right(call(three, two))(applied(node_a, three, two, {}))(ended(three, JournalVerdict::applied));
  CHECK(right.holds());
  const auto with = [](const auto& event) {
    Watch watch(make_remembered_stale_is_inert);
    watch(call(one, two))(event)(ended(one, JournalVerdict::remembered_stale));
    return watch.violated();
  };
  CHECK(with(applied(node_a, one)));
  CHECK(with(dropped(one)));
  CHECK(with(dropped(one, Outcome::disconnected)));
  CHECK(with(remembering(3, one)));
  CHECK(with(event::L1Changed{node_a, money, name, one, {}, {}, L1Cause::coherence}));
}

TEST_CASE("journal_never_resurrects") {
  const auto fill = event::L1Changed{node_a, money, name, {}, one, "x", L1Cause::fill};
  const valkey::Row row{one, {}};
  const event::RowChanged set{"ecc:{money}:x", nullptr, &row, "SET", true, money, name};
  Watch right(make_journal_never_resurrects);
  remember(right, 1, two);
  right(call(three, two)).in(2)(fill)(event::RequestSent{node_a, 0, 1, 7}).in(1)(event::RequestSent{node_a, 0, 1, 8});
  right(event::RequestRan{node_a, 0, 1, 7, false})(set, true)(event::RequestRan{node_a, 0, 1, 8, false});
  right(applied(node_a, three, one, {}))(ended(three, JournalVerdict::applied))(fill);
  right(event::ReplayBegan{node_a, money})(event::ReplayEnded{node_a, money, 0, 0})(set);
  right.oracle->finish(true);
  CHECK(right.holds());

  CHECK(Watch(make_journal_never_resurrects)(call(one))(fill).violated());
  CHECK(Watch(make_journal_never_resurrects)(event::ReplayBegan{node_a, money})(fill).violated());
  Watch server(make_journal_never_resurrects);
  server(event::ReplayBegan{node_a, money})(event::RequestSent{node_a, 0, 1, 7});
  server(event::RequestRan{node_a, 0, 1, 7, false})(set, true);
  server.oracle->finish(true);
  CHECK(server.violated());
  Watch failed_over(make_journal_never_resurrects);  // in the step of the journal's request, and not by it
  failed_over(event::ReplayBegan{node_a, money})(event::RequestSent{node_a, 0, 1, 7});
  failed_over(event::RequestRan{node_a, 0, 1, 7, false});
  failed_over(event::RowChanged{"ecc:{money}:x", nullptr, &row, "failover", true, money, name}, true);
  failed_over.oracle->finish(true);
  CHECK_FALSE(failed_over.violated());
  Watch stale(make_journal_never_resurrects), drops(make_journal_never_resurrects);
  for (Watch* watch : {&stale, &drops}) {
    remember(*watch, 1, two);
    (*watch)(call(two, two));
  }
  CHECK(stale(applied(node_a, two, one, {})).violated());
  CHECK(drops(dropped(two)).violated());
}

TEST_CASE("no_intent_lost") {
  const Intents first{intent(1, two)}, to_b{intent(1, two, "ecc.coh.money.b")};
  const auto recorded = [&](bool per_node = false) {
    Watch watch(make_no_intent_lost);
    if (per_node) watch.world.scenario_.design.fanout = Fanout::per_node;
    watch(attempt(1, JournalWrite::record, per_node ? to_b : first))(committed(1));
    return watch;
  };
  const auto lost = [](Watch&& watch, bool settled = true) {
    watch.oracle->finish(settled);
    return watch.violated();
  };
  const JournalContents empty;
  CHECK(lost(recorded()));
  CHECK_FALSE(lost(recorded(), false));
  CHECK_FALSE(lost(std::move(recorded()(applied(node_b, two)))));
  CHECK_FALSE(lost(std::move(recorded()(applied(node_a, three)))));
  CHECK(lost(std::move(recorded()(applied(node_b, one)))));
  CHECK_FALSE(lost(std::move(recorded()(recovered(empty, 0, true)))));
  CHECK(lost(std::move(recorded()(recovered(empty, 0, false))), false));
  CHECK(lost(std::move(recorded()(attempt(2, JournalWrite::compact, first))(committed(2))), false));
  // A memory is no proof of an application: it may have been written first, and the node died before it applied.
  Watch early = recorded();
  early(call(two))(remembering(2, two))(committed(2))(ended(two, JournalVerdict::remembered_stale));
  CHECK(lost(std::move(early)));
  const event::JobSettled dead{node_a, "q", first[0].job, "retry", 3, JobState::active, 3, JobState::dead, 3, Outcome::dead};
  CHECK_FALSE(lost(std::move(recorded()(dead))));
  CHECK(lost(std::move(recorded()(dead)(event::ServerRestarted{false}))));
  CHECK_FALSE(lost(std::move(recorded()(dead)(event::ServerRestarted{true}))));
  const auto went_back = [&](JobState state) { return event::JobWentBack{"q", first[0].job, "p", state, 2, 2}; };
  CHECK(lost(std::move(recorded()(dead)(went_back(JobState::scheduled)))));
  CHECK(lost(std::move(recorded()(dead)(went_back(JobState::absent)))));
  CHECK_FALSE(lost(std::move(recorded()(went_back(JobState::dead)))));
  CHECK(lost(std::move(recorded(true)(applied(node_a, two)))));
  CHECK_FALSE(lost(std::move(recorded(true)(applied(node_b, two)))));
  Watch left = recorded();
  left.world.down_.insert(node_a);
  CHECK_FALSE(lost(std::move(left)));
}

TEST_CASE("compaction_keeps_uncovered") {
  const Intents old{intent(1, two)}, to_b{intent(1, two, "ecc.coh.money.b")};
  const auto compacted = [](Maybe memory, const Intents& intents, Fanout fanout = Fanout::shared) {
    Watch watch(make_compaction_keeps_uncovered);
    watch.world.scenario_.design.fanout = fanout;
    if (memory) remember(watch, 1, *memory);
    watch(attempt(2, JournalWrite::compact, intents));
    return watch;
  };
  CHECK(compacted(two, old).holds());
  CHECK(compacted(three, old).holds());
  CHECK(compacted(one, old).violated());
  CHECK(compacted({}, old).violated());
  CHECK(compacted(three, to_b, Fanout::per_node).violated());
}

TEST_CASE("recovery_is_a_prefix") {
  CHECK(rc::check("a right journal under any crashes", [] {
    Watch watch(make_recovery_is_a_prefix);
    std::vector<JournalContents> states{{}};
    std::size_t acknowledged = 0, synced = 0;
    const auto moves = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 40));
    for (const int move : moves) {
      const std::uint64_t number = states.size();
      JournalContents next = states.back();
      if (move < 12) {  // record two, unless a crash comes in between: then nobody is told
        const auto seq = static_cast<std::int64_t>(number) * 2;
        const Intents pair{intent(seq, two), intent(seq + 1, three)};
        for (const auto& entry : pair) next.intents[entry.seq] = entry;
        states.push_back(next);
        watch(attempt(number, JournalWrite::record, pair));
      } else if (move < 20) {
        const std::string version = v(static_cast<std::uint64_t>(move - 11), "WAL");
        auto& held = next.applied[name];
        if (held.version.empty() || version > held.version) held = {version, 77};
        states.push_back(next);
        watch(remembering(number, version));
      } else if (move < 24 && !next.intents.empty()) {
        const Intents gone{next.intents.begin()->second};
        next.intents.erase(next.intents.begin());
        states.push_back(next);
        watch(attempt(number, JournalWrite::compact, gone));
      } else if (move < 30) {
        acknowledged = states.size() - 1;
        watch(committed(acknowledged));
      } else if (move < 33) {
        synced = acknowledged;
        watch(event::JournalSynced{node_a, money, synced});
      } else {
        const bool power = move > 36;
        const std::size_t least = power ? synced : acknowledged;
        const std::size_t kept = least + static_cast<std::size_t>(move) % (states.size() - least);
        states.resize(kept + 1);
        acknowledged = kept;
        watch(recovered(states.back(), kept, power));
      }
    }
    RC_ASSERT(!watch.violated());
  }));

  const Intents pair{intent(1, one), intent(2, two)}, third{intent(3, three)};
  JournalContents empty, half, both, only_third;
  half.intents[1] = pair[0];
  both.intents = {{1, pair[0]}, {2, pair[1]}};
  only_third.intents[3] = third[0];
  const auto judged = [&](const JournalContents& contents, std::uint64_t transactions, bool power, bool synced = false) {
    Watch watch(make_recovery_is_a_prefix);
    watch(attempt(1, JournalWrite::record, pair))(committed(1));
    if (synced) watch(event::JournalSynced{node_a, money, 1});
    watch(attempt(2, JournalWrite::record, third))(recovered(contents, transactions, power));
    return watch;
  };
  CHECK(judged(both, 1, false).holds());
  CHECK(judged(empty, 0, true).holds());
  CHECK(judged(empty, 0, false).violated());        // acknowledged, and gone after a process crash
  CHECK(judged(empty, 0, true, true).violated());   // synced, and gone after a power loss
  CHECK(judged(half, 1, true).violated());          // half a transaction
  CHECK(judged(only_third, 1, true).violated());    // a hole
}

TEST_CASE("a transaction that failed is none: nobody is held to it, and its number is given again") {
  const event::JournalFailed failed{node_a, money, 1};
  const JournalContents empty, with_one = holding(one);
  Watch memory(make_memory_never_goes_back);
  memory(remembering(1, two))(failed)(remembering(1, one))(committed(1))(call(two, one));
  CHECK(memory.holds());

  const Intents first{intent(1, two)}, second{intent(2, one)};
  Watch lost(make_no_intent_lost);
  lost(attempt(1, JournalWrite::record, first))(failed)(remembering(1, one))(committed(1));
  lost.oracle->finish(true);
  CHECK_FALSE(lost.violated());

  Watch prefix(make_recovery_is_a_prefix);
  prefix(attempt(1, JournalWrite::record, first))(failed)(remembering(1, one))(committed(1))(recovered(with_one, 1, false));
  CHECK(prefix.holds());
  Watch kept(make_recovery_is_a_prefix);
  JournalContents both = with_one;
  both.intents[1] = first.front();
  kept(attempt(1, JournalWrite::record, first))(failed)(remembering(1, one))(committed(1))(recovered(both, 1, false));
  CHECK(kept.violated());
}

TEST_CASE("recovery_is_a_prefix: not judged is the power loss behind a failed sync, and only that") {
  const Intents first{intent(1, two)};
  const JournalContents empty;
  const auto after = [&](bool power) {
    Watch watch(make_recovery_is_a_prefix);
    watch(attempt(1, JournalWrite::record, first))(committed(1))(event::SyncFailed{node_a, money, 1});
    watch(event::JournalSynced{node_a, money, 1})(recovered(empty, 0, power));
    return watch;
  };
  CHECK_FALSE(after(true).violated());
  CHECK(after(false).violated());
  Watch again = after(true);
  again(attempt(1, JournalWrite::record, first))(committed(1))(event::JournalSynced{node_a, money, 1});
  CHECK(again(recovered(empty, 0, true)).violated());
}

TEST_CASE("ambiguity_is_kept: marks and completions") {
  const Intents first{intent(1, two)};
  const auto answered = [&](Outcome outcome) { return event::BusAnswered{node_a, "q", first[0].job, "enqueue", outcome}; };
  const auto mark = attempt(2, JournalWrite::mark_enqueued, first);
  const auto handled = [](bool raised) { return event::HandlerEnded{node_a, money, "JOB", 1, raised, ""}; };
  const event::JobSettled complete{node_a, "q", "JOB", "complete", 1, JobState::active, 1, JobState::absent, 0, Outcome::ok};
  CHECK(Watch(make_ambiguity_is_kept)(answered(Outcome::ok))(mark)(mark).holds());
  CHECK(Watch(make_ambiguity_is_kept)(answered(Outcome::duplicate))(mark).holds());
  CHECK(Watch(make_ambiguity_is_kept)(answered(Outcome::disconnected))(mark).violated());
  CHECK(Watch(make_ambiguity_is_kept)(answered(Outcome::ok))(event::NodeCrashed{node_a, false, 0})(mark).violated());
  Intents marked = first;
  marked[0].enqueued = true;
  CHECK(Watch(make_ambiguity_is_kept)(attempt(1, JournalWrite::record, marked)).violated());

  CHECK(Watch(make_ambiguity_is_kept)(handled(false))(event::NodeCrashed{node_a, false, 0})(complete).holds());
  CHECK(Watch(make_ambiguity_is_kept)(handled(true))(complete).violated());
  CHECK(Watch(make_ambiguity_is_kept)(handled(false))(complete)(complete).violated());
  event::JobSettled other = complete;
  other.node = node_b;
  CHECK(Watch(make_ambiguity_is_kept)(handled(false))(other).violated());
}

TEST_CASE("ambiguity_is_kept: memory") {
  const auto began = call(two, one);
  const auto apply = applied(node_a, two);
  CHECK(Watch(make_ambiguity_is_kept)(began)(dropped(two))(apply)(remembering(1, two)).holds());
  CHECK(Watch(make_ambiguity_is_kept)(began)(dropped(two, Outcome::disconnected))(apply)(remembering(1, two)).violated());
  CHECK(Watch(make_ambiguity_is_kept)(began)(apply)(remembering(1, two)).violated());
  CHECK(Watch(make_ambiguity_is_kept)(began)(dropped(two))(remembering(1, two)).violated());
  CHECK(Watch(make_ambiguity_is_kept)(remembering(1, two)).violated());
  CHECK(Watch(make_ambiguity_is_kept)(began)(dropped(two))(apply)(remembering(1, three)).violated());
  Watch l1_only(make_ambiguity_is_kept);
  l1_only.world.scenario_.design.receiver = Receiver::l1;
  CHECK(l1_only(began)(apply)(remembering(1, two)).holds());
}

}  // namespace cohsim::oracles
