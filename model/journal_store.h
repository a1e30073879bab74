// What keeps a journal on its node's disk, as its owner sees it: transactions, and what the owner asks before one. Two
// engines: a log of our own (journal_log.h), which is fast, and SQLite (journal_sqlite.h), which is the real one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/events.h"
#include "model/node_context.h"
#include "sim/disk.h"
#include "sim/file_store.h"

namespace cohsim {

/// One transaction, as it is written and as it is replayed.
struct JournalTransaction {
  JournalWrite write = JournalWrite::record;
  std::vector<JournalContents::Intent> intents;  ///< record: what comes; mark: the one marked; compact: what goes
  std::string id, version;                       ///< remember
  bool overwrites = false;                       ///< planted: a remember that compares nothing
};

/// What a transaction does to what a journal holds. Pure.
void apply_transaction(JournalContents& contents, const JournalTransaction& transaction);

/// Lives in its node's memory; what it keeps lives on the disk. Every call is one step of its process, which may die in it.
class JournalStore {
 public:
  using Intent = JournalContents::Intent;
  /// A commit in this many is followed by a checkpoint: with synchronous=NORMAL, nothing else is synced.
  static constexpr std::uint64_t commits_per_checkpoint = 16;

  virtual ~JournalStore() = default;
  JournalStore() = default;
  JournalStore(const JournalStore&) = delete;
  JournalStore& operator=(const JournalStore&) = delete;

  /// What the store holds: after a recovery, and after every commit.
  [[nodiscard]] const JournalContents& contents() const { return contents_; }

  /// Reads what the disk kept; to be called first, and once. Answers how many transactions that is.
  virtual std::uint64_t recover() = 0;
  /// The `number`-th transaction, whole or not at all. False: not at all.
  virtual bool commit(const JournalTransaction& transaction, std::uint64_t number) = 0;
  /// Makes everything so far safe. False: a sync failed.
  virtual bool checkpoint(std::uint64_t transactions) = 0;
  /// The process dies: inside this commit (and the checkpoint that is due behind it), after a drawn number of calls to the
  /// disk, or, where there is none, between two calls. Nothing else is called afterwards.
  virtual void die(const JournalTransaction* under_way, std::uint64_t number, bool checkpoint_due) = 0;

  // What the owner asks, by the store's own comparison of versions.
  [[nodiscard]] virtual std::optional<std::string> remembered(std::string_view id) = 0;
  /// Intents in seq order whose name has (or has no) applied version at least as new. Those for other queues than `own`
  /// are never covered: `applied` says nothing of them.
  [[nodiscard]] virtual std::vector<Intent> intents(bool covered, std::string_view own) = 0;
  [[nodiscard]] virtual bool has_job(std::string_view job) = 0;

 protected:
  JournalContents contents_;
};

/// By the scenario's setting `journal`.
[[nodiscard]] std::unique_ptr<JournalStore> make_journal_store(NodeContext& node, TableRef table, Disk& disk,
                                                               FileStore& files);

}  // namespace cohsim
