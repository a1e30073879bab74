#include "model/journal_model.h"

#include <algorithm>

#include "model/identity.h"

namespace cohsim {

ModelJournal::ModelJournal(NodeContext& node, TableRef table, Disk& disk)
    : node_(node), table_(table), log_(disk, "journal." + std::string(table.name)) {}

std::uint64_t ModelJournal::recover() {
  const Defect defect = node_.run.defect;
  JournalLog::Recovered recovered =
      log_.recover(defect == Defect::recovery_skips_a_record    ? JournalLog::Skip::second
                   : defect == Defect::recovery_skips_the_last ? JournalLog::Skip::last
                                                                : JournalLog::Skip::nothing);
  contents_ = std::move(recovered.contents);
  return recovered.transactions;
}

bool ModelJournal::commit(const JournalTransaction& transaction, std::uint64_t) {
  log_.append(transaction);
  if (transaction.overwrites) contents_.applied.erase(transaction.id);
  apply_transaction(contents_, transaction);
  return true;
}

bool ModelJournal::checkpoint(std::uint64_t transactions) {
  const bool asked_for = node_.sync_to_fail != 0 && --node_.sync_to_fail == 0;
  const bool fails =
      asked_for || node_.choices.chance(Site::disk_sync_fail, node_.actor, node_.disk_faults().sync_fail);
  if (fails) node_.note(event::SyncFailed{node_.actor, table_, 1});
  log_.checkpoint(contents_, transactions, fails);
  return !fails;
}

std::optional<std::string> ModelJournal::remembered(std::string_view id) {
  const auto found = contents_.applied.find(id);
  return found == contents_.applied.end() ? std::nullopt : std::optional(found->second.version);
}

bool ModelJournal::covered(const Intent& intent, std::string_view own) const {
  if (intent.queue != own) return false;
  const auto found = contents_.applied.find(intent.name);
  return found != contents_.applied.end() && !newer(intent.version, found->second.version);
}

std::vector<JournalStore::Intent> ModelJournal::intents(bool are_covered, std::string_view own) {
  std::vector<Intent> found;
  for (const auto& [seq, intent] : contents_.intents) {
    if (covered(intent, own) == are_covered) found.push_back(intent);
  }
  return found;
}

bool ModelJournal::has_job(std::string_view job) {
  return std::any_of(contents_.intents.begin(), contents_.intents.end(),
                     [&](const auto& entry) { return entry.second.job == job; });
}

}  // namespace cohsim
