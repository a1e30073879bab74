// The journal on SQLite itself, with the schema and statements of domain.md section 6: `journal = "sqlite"`.
#pragma once

#include <memory>

#include "model/journal_store.h"

namespace cohsim {

/// One database for each node and table. A transaction's number is the database's user_version, so that a recovery knows
/// how many it holds: one page more a commit than EchoStore writes.
class SqliteJournal final : public JournalStore {
 public:
  SqliteJournal(NodeContext& node, TableRef table, FileStore& files);
  /// As a process that dies: nothing is written any more.
  ~SqliteJournal() override;

  /// A database that cannot be read is set aside, and an empty one made (only what a failed sync dropped leads to that).
  std::uint64_t recover() override;
  bool commit(const JournalTransaction& transaction, std::uint64_t number) override;
  bool checkpoint(std::uint64_t transactions) override;
  void die(const JournalTransaction* under_way, std::uint64_t number, bool checkpoint_due) override;
  [[nodiscard]] std::optional<std::string> remembered(std::string_view id) override;
  [[nodiscard]] std::vector<Intent> intents(bool covered, std::string_view own) override;
  [[nodiscard]] bool has_job(std::string_view job) override;

 private:
  struct Open;

  bool open();
  bool load(std::uint64_t& transactions);
  void set_aside();
  bool write(const JournalTransaction& transaction, std::uint64_t number);
  bool write_rows(const JournalTransaction& transaction);
  void read_back(const JournalTransaction& transaction);
  void begin_call();
  std::uint64_t note_calls();  // answers how many syncs failed
  void must(bool good) const;

  NodeContext& node_;
  TableRef table_;
  FileStore& files_;
  std::string file_;
  std::unique_ptr<Open> open_;
  std::string problem_;  // SQLite's sentence about the last commit that failed
};

}  // namespace cohsim
