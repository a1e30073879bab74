#include "model/journal_sqlite.h"

#include <fmt/format.h>

#include "sim/random.h"
#include "sim/sqlite/database.h"

namespace cohsim {

namespace {

using sqlite::Statement;
using sqlite::Step;

// Version bytes 4..14 are compared, as bytes: a namespace says nothing of age.
constexpr const char* schema =
    "CREATE TABLE IF NOT EXISTS intents("
    "  seq INTEGER PRIMARY KEY, job_id TEXT NOT NULL UNIQUE, name_id TEXT NOT NULL, version TEXT NOT NULL,"
    "  queue TEXT NOT NULL, enqueued INTEGER NOT NULL, recorded_at INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS applied(name_id TEXT PRIMARY KEY, version TEXT NOT NULL, seq INTEGER NOT NULL);";
constexpr const char* insert_intent =
    "INSERT INTO intents(seq, job_id, name_id, version, queue, enqueued, recorded_at) VALUES(?, ?, ?, ?, ?, ?, ?)";
constexpr const char* mark_intent = "UPDATE intents SET enqueued = 1 WHERE seq = ?";
constexpr const char* delete_intent = "DELETE FROM intents WHERE seq = ?";
constexpr const char* upsert_applied =
    "INSERT INTO applied(name_id, version, seq) VALUES(?1, ?2, 1)"
    " ON CONFLICT(name_id) DO UPDATE SET version = excluded.version, seq = seq + 1"
    " WHERE substr(excluded.version, 4) > substr(version, 4)";
constexpr const char* overwrite_applied = "INSERT OR REPLACE INTO applied(name_id, version, seq) VALUES(?1, ?2, 1)";
constexpr const char* all_intents = "SELECT seq, job_id, name_id, version, queue, enqueued FROM intents ORDER BY seq";
constexpr const char* one_intent = "SELECT seq, job_id, name_id, version, queue, enqueued FROM intents WHERE seq = ?";
constexpr const char* all_applied = "SELECT name_id, version, seq FROM applied ORDER BY name_id";
constexpr const char* one_applied = "SELECT name_id, version, seq FROM applied WHERE name_id = ?";
constexpr const char* intents_by_cover =
    "SELECT seq, job_id, name_id, version, queue, enqueued FROM intents AS i"
    " WHERE (queue = ?1 AND EXISTS(SELECT 1 FROM applied AS a WHERE a.name_id = i.name_id"
    "   AND substr(a.version, 4) >= substr(i.version, 4))) = ?2 ORDER BY seq";
constexpr const char* job_exists = "SELECT 1 FROM intents WHERE job_id = ?";

// Calls that change a file, of one commit, and of one with a checkpoint behind it: draws beyond them mean all of it.
constexpr std::uint64_t most_calls = 24, most_calls_with_checkpoint = 48;

JournalContents::Intent intent_of(const Statement& row) {
  return {row.integer(0), row.text(1), row.text(2), row.text(3), row.text(4), row.integer(5) != 0};
}

}  // namespace

/// The connection of one life of the node.
struct SqliteJournal::Open {
  Open(FileStore& files, Choices& choices, Actor node, std::uint64_t seed, const std::string& file)
      : vfs(files, choices, node, seed), database(vfs, file) {}
  sqlite::Vfs vfs;
  sqlite::Database database;
  Statement begin{database, "BEGIN IMMEDIATE"}, commit{database, "COMMIT"};
  Statement insert{database, insert_intent}, mark{database, mark_intent}, remove{database, delete_intent};
  Statement upsert{database, upsert_applied}, overwrite{database, overwrite_applied};
  Statement intent{database, one_intent}, applied{database, one_applied};
  Statement by_cover{database, intents_by_cover}, job{database, job_exists};
};

SqliteJournal::SqliteJournal(NodeContext& node, TableRef table, FileStore& files)
    : node_(node), table_(table), files_(files), file_("journal." + std::string(table.name)) {}

SqliteJournal::~SqliteJournal() {
  if (open_) open_->vfs.freeze_after(0);
}

void SqliteJournal::begin_call() {
  open_->vfs.set_faults(node_.disk_faults());
  open_->vfs.fail_sync_in(node_.sync_to_fail);
  open_->vfs.set_clock(node_.wall_ms());
}

std::uint64_t SqliteJournal::note_calls() {
  const sqlite::Vfs::Calls calls = open_->vfs.take_calls();
  node_.sync_to_fail = open_->vfs.sync_to_fail();
  node_.note(event::DiskCalls{node_.actor, table_, calls.reads, calls.changes, calls.digest});
  if (calls.failed_syncs != 0) node_.note(event::SyncFailed{node_.actor, table_, calls.failed_syncs});
  return calls.failed_syncs;
}

// Only syncs fail while a process lives, and a recovery has checked what it found.
void SqliteJournal::must(bool good) const {
  if (!good) throw InternalError("SQLite: " + open_->database.problem());
}

// Syncs do not fail here: a node whose journal does not open does not start, and that is not modelled.
bool SqliteJournal::open() {
  const std::uint64_t seed = mix64((std::uint64_t{node_.actor} << 32) ^ files_.count_opening());
  open_ = std::make_unique<Open>(files_, node_.choices, node_.actor, seed, file_);
  open_->vfs.set_clock(node_.wall_ms());
  return open_->database.is_open() &&
         open_->database.run(
             "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
             "PRAGMA wal_autocheckpoint=0; PRAGMA temp_store=MEMORY") &&
         open_->database.run(schema);
}

bool SqliteJournal::load(std::uint64_t& transactions) {
  contents_ = {};
  Statement check(open_->database, "PRAGMA integrity_check(1)");
  if (check.step() != Step::row || check.text(0) != "ok") return false;
  Statement version(open_->database, "PRAGMA user_version");
  if (version.step() != Step::row) return false;
  transactions = static_cast<std::uint64_t>(version.integer(0));
  Statement intents(open_->database, all_intents);
  Step step = intents.step();
  for (; step == Step::row; step = intents.step()) {
    Intent intent = intent_of(intents);
    contents_.intents[intent.seq] = std::move(intent);
  }
  if (step != Step::done) return false;
  Statement applied(open_->database, all_applied);
  for (step = applied.step(); step == Step::row; step = applied.step()) {
    contents_.applied[applied.text(0)] = {applied.text(1), applied.integer(2)};
  }
  return step == Step::done;
}

void SqliteJournal::set_aside() {
  open_->vfs.freeze_after(0);
  open_.reset();
  for (const char* suffix : {"", "-wal", "-journal"}) files_.remove(file_ + suffix);
  node_.note(event::JournalSetAside{node_.actor, table_});
}

std::uint64_t SqliteJournal::recover() {
  std::uint64_t transactions = 0;
  if (!open() || !load(transactions)) {
    set_aside();
    transactions = 0;
    must(open() && load(transactions));
  }
  open_->vfs.fail_sync_in(node_.sync_to_fail);
  note_calls();
  return transactions;
}

bool SqliteJournal::write_rows(const JournalTransaction& transaction) {
  bool good = true;
  switch (transaction.write) {
    case JournalWrite::record:
      for (const Intent& intent : transaction.intents) {
        open_->insert.bind(1, intent.seq).bind(2, intent.job).bind(3, intent.name).bind(4, intent.version);
        open_->insert.bind(5, intent.queue).bind(6, std::int64_t{intent.enqueued}).bind(7, node_.wall_ms());
        good = good && open_->insert.run();
      }
      return good;
    case JournalWrite::mark_enqueued:
      for (const Intent& intent : transaction.intents) good = good && open_->mark.bind(1, intent.seq).run();
      return good;
    case JournalWrite::remember: {
      Statement& statement = transaction.overwrites ? open_->overwrite : open_->upsert;
      return statement.bind(1, transaction.id).bind(2, transaction.version).run();
    }
    case JournalWrite::compact:
      for (const Intent& intent : transaction.intents) good = good && open_->remove.bind(1, intent.seq).run();
      return good;
  }
  return false;
}

bool SqliteJournal::write(const JournalTransaction& transaction, std::uint64_t number) {
  const std::string numbered = fmt::format("PRAGMA user_version={}", number);
  const bool written =
      open_->begin.run() && write_rows(transaction) && open_->database.run(numbered.c_str()) && open_->commit.run();
  if (!written) problem_ = open_->database.problem();
  if (!written && open_->database.in_transaction()) open_->database.run("ROLLBACK");
  return written;
}

// What the owner and the oracles see is what SQLite answers, not what we think that it did.
void SqliteJournal::read_back(const JournalTransaction& transaction) {
  for (const Intent& written : transaction.intents) {
    contents_.intents.erase(written.seq);
    if (open_->intent.bind(1, written.seq).step() == Step::row) {
      contents_.intents[written.seq] = intent_of(open_->intent);
    }
    open_->intent.reset();
  }
  if (transaction.id.empty()) return;
  contents_.applied.erase(transaction.id);
  if (open_->applied.bind(1, transaction.id).step() == Step::row) {
    contents_.applied[transaction.id] = {open_->applied.text(1), open_->applied.integer(2)};
  }
  open_->applied.reset();
}

bool SqliteJournal::commit(const JournalTransaction& transaction, std::uint64_t number) {
  begin_call();
  const bool written = write(transaction, number);
  if (written) read_back(transaction);
  const std::uint64_t failed_syncs = note_calls();
  if (!written && failed_syncs == 0) throw InternalError("SQLite: " + problem_);
  return written;
}

bool SqliteJournal::checkpoint(std::uint64_t) {
  begin_call();
  const bool done = open_->database.checkpoint();
  note_calls();
  return done;
}

void SqliteJournal::die(const JournalTransaction* under_way, std::uint64_t number, bool checkpoint_due) {
  if (under_way != nullptr) {
    const std::uint64_t most = checkpoint_due ? most_calls_with_checkpoint : most_calls;
    const std::uint64_t calls = node_.choices.choose(Site::disk_crash_call, node_.actor, most);
    if (calls != 0) {
      begin_call();
      open_->vfs.freeze_after(calls);
      const bool written = write(*under_way, number);
      if (written && checkpoint_due) open_->database.checkpoint();
      node_.note(event::DiedInCommit{node_.actor, table_, number, calls, written});
      note_calls();
    }
  }
  open_->vfs.freeze_after(0);
}

std::optional<std::string> SqliteJournal::remembered(std::string_view id) {
  std::optional<std::string> version;
  const Step step = open_->applied.bind(1, id).step();
  must(step != Step::failed);
  if (step == Step::row) version = open_->applied.text(1);
  open_->applied.reset();
  return version;
}

std::vector<JournalStore::Intent> SqliteJournal::intents(bool covered, std::string_view own) {
  std::vector<Intent> found;
  open_->by_cover.bind(1, own).bind(2, std::int64_t{covered});
  Step step = open_->by_cover.step();
  for (; step == Step::row; step = open_->by_cover.step()) found.push_back(intent_of(open_->by_cover));
  must(step == Step::done);
  open_->by_cover.reset();
  return found;
}

bool SqliteJournal::has_job(std::string_view job) {
  const Step step = open_->job.bind(1, job).step();
  must(step != Step::failed);
  open_->job.reset();
  return step == Step::row;
}

}  // namespace cohsim
