// The journal in SQLite at one node: deaths inside a commit, failed syncs, and files that nobody can read any more.
#include "model/journal_sqlite.h"

#include "model/message.h"
#include "model/test_world.h"
#include "testing/catch.h"

namespace cohsim::test {

namespace {

Scenario on_sqlite() {
  Scenario scenario = scenario_on(Lane::job);
  scenario.design.journal = JournalKind::sqlite;
  return scenario;
}

/// A store of node a by itself, on files that a test may look into.
struct Store {
  explicit Store(TestWorld& the_world) : world(the_world) { open(); }

  std::uint64_t open() {
    store = std::make_unique<SqliteJournal>(world.node(a).context(), TableRef{0, "users"}, files);
    return store->recover();
  }
  bool intend(std::uint64_t number) { return store->commit(record(number), number); }
  static JournalTransaction record(std::uint64_t number) {
    JournalTransaction transaction;
    transaction.intents.push_back({static_cast<std::int64_t>(number), brand("JOB", number), brand("USR", 1),
                                   brand("USR", number), "ecc.coh.users", false});
    return transaction;
  }
  std::uint64_t reopen(bool power = false) {
    store->die(nullptr, 0, false);
    store.reset();
    if (power) files.lose_power({}, world.world.choices(), a);
    return open();
  }

  TestWorld& world;
  FileStore files;
  std::unique_ptr<SqliteJournal> store;
};

}  // namespace

TEST_CASE("sqlite journal: what a node remembers and intends survives its process") {
  TestWorld t(on_sqlite());
  const std::string version = t.steps.mint(a, "USR");
  CHECK(t.steps.intend(a, t.name(), version, {}).outcome == "ok");
  t.world.settle(false);
  CHECK(t.log.count("disk calls", {"node=2"}) > 0);
  const JournalContents before = *t.world.journal(a, 0);
  REQUIRE(before.intents.size() == 1);
  CHECK(before.intents.begin()->second.enqueued);
  t.steps.crash(a, false);
  t.steps.restart(a);
  CHECK(*t.world.journal(a, 0) == before);
  CHECK(t.log.count("journal set aside") == 0);
}

TEST_CASE("sqlite journal: a death after any number of calls leaves the transaction whole or not there") {
  TestWorld t(on_sqlite());
  std::size_t there = 0, missing = 0;
  for (std::uint64_t calls = 0; calls < 24; ++calls) {
    Store s(t);
    CHECK(s.intend(1));
    t.strategy.answers[Site::disk_crash_call] = {calls};
    const JournalTransaction second = Store::record(2);
    s.store->die(&second, 2, false);
    const std::uint64_t held = s.reopen();
    CHECK(s.store->contents().intents.size() == held);
    CHECK((held == 1 || held == 2));
    there += held == 2;
    missing += held == 1;
  }
  CHECK(there > 3);
  CHECK(missing > 3);
  CHECK(t.log.count("died in commit") == 23);
}

TEST_CASE(
    "sqlite journal: a failed sync fails the checkpoint, or the commit that begins a new log, and keeps the rest") {
  Scenario scenario = on_sqlite();
  scenario.faults.disks.sync_fail = 1;
  TestWorld t(scenario);
  Store s(t);
  CHECK(s.intend(1));
  t.strategy.answers[Site::disk_sync_fail] = {1};
  CHECK_FALSE(s.store->checkpoint(1));
  CHECK(t.log.count("sync failed") == 1);
  CHECK(s.intend(2));
  CHECK(s.store->checkpoint(2));
  // The log has been copied: the next commit begins it anew, and syncs its header.
  t.strategy.answers[Site::disk_sync_fail] = {1};
  CHECK_FALSE(s.intend(3));
  CHECK(s.store->contents().intents.size() == 2);
  CHECK(s.intend(3));
  CHECK(s.reopen() == 3);
  CHECK(t.log.count("sync failed") == 2);
}

TEST_CASE("sqlite journal: a database that cannot be read is set aside") {
  TestWorld t(on_sqlite());
  Store s(t);
  for (std::uint64_t number = 1; number <= 20; ++number) CHECK(s.intend(number));
  CHECK(s.store->checkpoint(20));
  s.store->die(nullptr, 0, false);
  s.store.reset();
  s.files.remove("journal.users-wal");  // which has every page once more
  CHECK(s.open() == 20);
  s.files.write("journal.users", 4096, std::string(3000, 'x'));
  CHECK(s.reopen() == 0);
  CHECK(t.log.count("journal set aside") == 1);
  CHECK(s.store->contents().intents.empty());
  CHECK(s.intend(1));
  CHECK(s.reopen() == 1);
}

TEST_CASE("sqlite journal: versions are compared by their payload, as bytes, in every statement") {
  TestWorld t(on_sqlite());
  Store s(t);
  const std::string id = brand("USR", 1), low = brand("ZZZ", 35), high = brand("AAA", 36), again = brand("MMM", 36);
  const auto remember = [&](const std::string& version, std::uint64_t number) {
    JournalTransaction transaction;
    transaction.write = JournalWrite::remember;
    transaction.id = id;
    transaction.version = version;
    return s.store->commit(transaction, number);
  };
  CHECK(remember(low, 1));
  CHECK(remember(high, 2));  // Base62: Z, then a
  CHECK(s.store->remembered(id) == high);
  CHECK(remember(low, 3));
  CHECK(remember(again, 4));
  CHECK(s.store->remembered(id) == high);
  CHECK(s.store->contents().applied.at(id).seq == 2);
  CHECK(s.intend(5));
  CHECK(s.store->intents(true, "ecc.coh.users").size() == 1);
  CHECK(s.store->intents(false, "ecc.coh.users.b").size() == 1);
  CHECK(s.store->has_job(brand("JOB", 5)));
  CHECK_FALSE(s.store->has_job(brand("JOB", 6)));
}

}  // namespace cohsim::test
