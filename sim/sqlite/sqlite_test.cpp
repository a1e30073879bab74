// SQLite over simulated files: what it promises under WAL and synchronous=NORMAL holds at every death, and no run differs
// from another.
#include <fmt/format.h>

#include <functional>
#include <optional>
#include <set>

#include "sim/scripted_strategy.h"
#include "sim/sqlite/database.h"
#include "testing/catch.h"

namespace cohsim::sqlite {
namespace {

constexpr Actor node = actor_first_node;
constexpr const char* file = "journal.money";

/// A machine whose process opens one table of numbers, and may die.
struct Machine {
  explicit Machine(Strategy& strategy) : choices(strategy) {}

  void open() {
    vfs = std::make_unique<Vfs>(files, choices, node, ++opened);
    database = std::make_unique<Database>(*vfs, file);
    REQUIRE(database->is_open());
    REQUIRE(
        database->run("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                      "CREATE TABLE IF NOT EXISTS numbers(n INTEGER PRIMARY KEY, padding TEXT)"));
    vfs->set_faults(faults);
  }
  /// One transaction of two rows, `number`·2 and the one after it.
  bool add(int number) {
    const std::string padding(1500, 'x');
    for (int i = 0; i < 2; ++i) {
      if (i == 0 && !database->run("BEGIN IMMEDIATE")) return false;
      Statement insert(*database, "INSERT INTO numbers VALUES(?, ?)");
      if (!insert.bind(1, std::int64_t{number} * 2 + i).bind(2, padding).run()) return false;
    }
    return database->run("COMMIT");
  }
  void die() {
    vfs->freeze_after(0);
    database.reset();
    vfs.reset();
  }
  [[nodiscard]] std::set<std::int64_t> numbers() {
    std::set<std::int64_t> found;
    Statement select(*database, "SELECT n FROM numbers ORDER BY n");
    Step step = select.step();
    for (; step == Step::row; step = select.step()) found.insert(select.integer(0));
    CHECK(step == Step::done);
    return found;
  }
  [[nodiscard]] std::string integrity() {
    Statement check(*database, "PRAGMA integrity_check(1)");
    return check.step() == Step::row ? check.text(0) : database->problem();
  }
  /// How many of the transactions 0, 1, … it holds; nullopt: not a prefix, or half a transaction.
  [[nodiscard]] std::optional<int> prefix() {
    const std::set<std::int64_t> found = numbers();
    std::int64_t next = 0;
    for (const std::int64_t n : found) {
      if (n != next++) return std::nullopt;
    }
    return found.size() % 2 == 0 ? std::optional(static_cast<int>(found.size() / 2)) : std::nullopt;
  }

  Choices choices;
  FileStore files;
  DiskFaults faults;
  std::uint64_t opened = 0;
  std::unique_ptr<Vfs> vfs;
  std::unique_ptr<Database> database;
};

constexpr int transactions = 12, per_checkpoint = 4;

/// Adds transactions, checkpointing now and then, until one fails. `acknowledged`, `safe`: what no process crash and no
/// power loss may take.
struct History {
  int acknowledged = 0, safe = 0, attempted = 0;
  void go_on(Machine& machine) {
    while (attempted < transactions) {
      if (!machine.add(attempted++)) return;
      acknowledged = attempted;
      if (acknowledged % per_checkpoint != 0) continue;
      if (!machine.database->checkpoint()) return;
      safe = acknowledged;
    }
  }
};

}  // namespace

TEST_CASE(
    "sqlite: a death after any number of calls that change a file leaves whole transactions, and all that returned") {
  std::uint64_t deaths = 0, half_way = 0;
  for (std::uint64_t calls = 0;; ++calls) {
    ScriptedStrategy calm;
    Machine machine(calm);
    machine.open();
    machine.vfs->freeze_after(calls);
    History history;
    history.go_on(machine);
    const bool finished = !machine.vfs->frozen();
    machine.die();
    machine.open();
    const std::optional<int> prefix = machine.prefix();
    REQUIRE(prefix);
    CHECK((*prefix >= history.acknowledged && *prefix <= history.attempted));
    CHECK(machine.integrity() == "ok");
    half_way += *prefix == history.acknowledged && history.attempted > history.acknowledged;
    ++deaths;
    if (finished) break;
  }
  CHECK(deaths > 100);
  CHECK(half_way > 20);
}

TEST_CASE("sqlite: a power loss at any call leaves a prefix with all that a checkpoint synced, torn pages or not") {
  std::uint64_t lost_some = 0, torn = 0, kept_unsafe = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    RandomStrategy strategy(seed);
    Machine machine(strategy);
    machine.faults.torn = seed % 2 == 0 ? ppm_one : 0;
    machine.open();
    machine.vfs->freeze_after(seed % 160);
    History history;
    history.go_on(machine);
    machine.die();
    torn += machine.files.lose_power(machine.faults, machine.choices, node).torn;
    machine.open();
    const std::optional<int> prefix = machine.prefix();
    REQUIRE(prefix);
    CHECK((*prefix >= history.safe && *prefix <= history.attempted));
    CHECK(machine.integrity() == "ok");
    lost_some += *prefix < history.acknowledged;
    kept_unsafe += *prefix > history.safe;
    // And it goes on from there.
    CHECK(machine.add(*prefix));
    machine.die();
    machine.open();
    CHECK(machine.prefix() == *prefix + 1);
  }
  CHECK(lost_some > 50);
  CHECK(kept_unsafe > 50);
  CHECK(torn > 50);
}

TEST_CASE("sqlite: a power loss while the database is made leaves one that can be made again") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RandomStrategy strategy(seed);
    Machine machine(strategy);
    machine.vfs = std::make_unique<Vfs>(machine.files, machine.choices, node, ++machine.opened);
    machine.vfs->freeze_after(seed % 25);
    machine.database = std::make_unique<Database>(*machine.vfs, file);
    machine.database->run("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE numbers(n INTEGER)");
    machine.die();
    DiskFaults faults;
    faults.torn = ppm_one / 2;
    machine.files.lose_power(faults, machine.choices, node);
    machine.open();
    CHECK(machine.integrity() == "ok");
  }
}

TEST_CASE("sqlite: a failed sync fails the checkpoint and no transaction, what it dropped a power loss may take back") {
  ScriptedStrategy strategy;
  Machine machine(strategy);
  machine.open();
  for (int i = 0; i < 4; ++i) CHECK(machine.add(i));
  machine.faults.sync_fail = ppm_one;
  machine.vfs->set_faults(machine.faults);
  strategy.answers[Site::disk_sync_fail] = {1};
  CHECK_FALSE(machine.database->checkpoint());
  CHECK(machine.vfs->take_calls().failed_syncs == 1);
  CHECK(machine.add(4));
  CHECK(machine.prefix() == 5);
  machine.die();
  const DiskLost lost = machine.files.lose_power({}, machine.choices, node);
  CHECK(lost.doomed == 1);
  machine.faults.sync_fail = 0;
  machine.open();
  CHECK(machine.prefix() == 0);
}

TEST_CASE("sqlite: whatever syncs fail, a process that dies keeps all that was committed") {
  std::uint64_t failed_commits = 0, failed_checkpoints = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RandomStrategy strategy(seed);
    Machine machine(strategy);
    machine.faults = {250'000, 0};
    machine.open();
    int committed = 0;
    for (std::uint64_t i = 0; i < 10 + seed % 30; ++i) {
      if (machine.add(committed)) {
        ++committed;
      } else {
        ++failed_commits;
        if (machine.database->in_transaction()) CHECK(machine.database->run("ROLLBACK"));
      }
      if (i % 4 == 3) failed_checkpoints += !machine.database->checkpoint();
    }
    machine.die();
    machine.open();
    CHECK(machine.prefix() == committed);
    CHECK(machine.integrity() == "ok");
  }
  CHECK(failed_commits > 20);
  CHECK(failed_checkpoints > 50);
}

// What a failed sync dropped leaves a hole in the log. A later checkpoint that succeeds makes the database safe, but the log
// stands beside it until the next commit begins it anew: a power loss in between lays the frames in front of the hole over
// the newer database.
TEST_CASE("sqlite: after a failed sync of the log even a checkpoint that succeeded is taken back by a power loss") {
  ScriptedStrategy calm;
  Machine machine(calm);
  machine.open();
  const auto add_four = [&](int first) {
    for (int i = first; i < first + 4; ++i) CHECK(machine.add(i));
  };
  add_four(0);
  machine.vfs->fail_sync_in(2);  // of the database, behind that of the log
  CHECK_FALSE(machine.database->checkpoint());
  add_four(4);
  machine.vfs->fail_sync_in(1);  // of the log
  CHECK_FALSE(machine.database->checkpoint());
  add_four(8);
  CHECK(machine.database->checkpoint());
  machine.die();
  CHECK(machine.files.lose_power({}, machine.choices, node).bytes == 0);  // nothing waited for a sync
  machine.open();
  CHECK(machine.prefix() == 4);
}

TEST_CASE("sqlite: the same calls in the same order whatever ran before in this process, other salts at each opening") {
  const auto run = [] {
    RandomStrategy strategy(7);
    Machine machine(strategy);
    machine.open();
    History().go_on(machine);
    machine.die();
    machine.open();
    const std::uint64_t digest = machine.vfs->take_calls().digest;
    std::string log(machine.files.size("journal.money-wal"), '\0');
    machine.files.read("journal.money-wal", 0, log);
    return std::pair(digest, log);
  };
  const auto first = run();
  std::uint64_t noise = 0;
  sqlite3_randomness(sizeof noise, &noise);
  CHECK(run() == first);

  const auto salts = [](std::uint64_t seed) {
    ScriptedStrategy calm;
    Machine machine(calm);
    machine.opened = seed;
    machine.open();
    CHECK(machine.add(0));
    std::string header(32, '\0');
    machine.files.read("journal.money-wal", 0, header);
    return header.substr(16, 8);
  };
  CHECK(salts(1) == salts(1));
  CHECK(salts(1) != salts(2));
}

TEST_CASE("sqlite: time is virtual, temporary files are refused, and a choice that throws is heard behind the call") {
  ScriptedStrategy calm;
  Machine machine(calm);
  machine.open();
  machine.vfs->set_clock(1'767'225'600'000);
  Statement now(*machine.database, "SELECT datetime('now')");
  REQUIRE(now.step() == Step::row);
  CHECK(now.text(0) == "2026-01-01 00:00:00");
  now.reset();
  CHECK_FALSE(
      machine.database->run("PRAGMA temp_store=FILE; PRAGMA cache_size=1; CREATE TEMP TABLE t(x);"
                            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 9999)"
                            "INSERT INTO t SELECT randomblob(500) FROM c"));

  struct Throws final : Strategy {
    std::uint64_t pick(const Question&) override { throw ReplayMismatch("not this run"); }
  } throws;
  Machine other(throws);
  other.open();
  CHECK(other.add(0));
  other.faults.sync_fail = 1;
  other.vfs->set_faults(other.faults);
  CHECK_THROWS_AS(other.database->checkpoint(), ReplayMismatch);
  other.die();
}

}  // namespace cohsim::sqlite
