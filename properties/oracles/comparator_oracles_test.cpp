// comparators_agree, on fabricated histories.
#include "properties/oracles/fake_world.h"
#include "testing/catch.h"

namespace cohsim::oracles {

namespace {

using Maybe = std::optional<std::string>;

const std::string one = v(1, "WAL"), two = v(2, "WAL"), three = v(3, "WAL");
const std::string gold = v(1000, "WAL");
const std::string shared = "ecc.coh.money";
const std::vector<JournalContents::Intent> none;

event::CoherenceApplied applied(const std::string& version, const Maybe& row, Verdict verdict) {
  return {node_a, money, gold, version, row, {}, verdict, 2};
}

}  // namespace

TEST_CASE("comparators_agree: the table and the script") {
  const auto l1 = [](const std::string& version, const std::string& row, Verdict verdict) {
    return Watch(make_comparators_agree)(applied(version, row, verdict)).violated();
  };
  CHECK_FALSE(l1(two, one, Verdict::applied));
  CHECK_FALSE(l1(v(2, "AAA"), one, Verdict::applied));
  CHECK_FALSE(l1(v(1, "ZZZ"), one, Verdict::stale));  // one payload, two namespaces: equal
  CHECK(l1(v(1, "ZZZ"), one, Verdict::applied));
  CHECK(l1(one, two, Verdict::applied));
  CHECK(l1(two, one, Verdict::stale));
  CHECK(Watch(make_comparators_agree)(applied(two, {}, Verdict::stale)).oracle->exercised() == 0);  // no row, nothing compared

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

}  // namespace cohsim::oracles
