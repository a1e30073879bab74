// The journal on a log of our own: `journal = "model"`.
#pragma once

#include "model/journal_log.h"
#include "model/journal_store.h"

namespace cohsim {

class ModelJournal final : public JournalStore {
 public:
  ModelJournal(NodeContext& node, TableRef table, Disk& disk);

  std::uint64_t recover() override;
  bool commit(const JournalTransaction& transaction, std::uint64_t number) override;
  bool checkpoint(std::uint64_t transactions) override;
  /// A record is one write: the process dies before it.
  void die(const JournalTransaction*, std::uint64_t, bool) override {}
  [[nodiscard]] std::optional<std::string> remembered(std::string_view id) override;
  [[nodiscard]] std::vector<Intent> intents(bool covered, std::string_view own) override;
  [[nodiscard]] bool has_job(std::string_view job) override;

 private:
  [[nodiscard]] bool covered(const Intent& intent, std::string_view own) const;

  NodeContext& node_;
  TableRef table_;
  JournalLog log_;
};

}  // namespace cohsim
