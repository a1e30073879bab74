#include "model/journal_store.h"

#include "model/identity.h"
#include "model/journal_model.h"
#include "model/journal_sqlite.h"

namespace cohsim {

void apply_transaction(JournalContents& contents, const JournalTransaction& transaction) {
  switch (transaction.write) {
    case JournalWrite::record:
      for (const auto& intent : transaction.intents) contents.intents[intent.seq] = intent;
      break;
    case JournalWrite::mark_enqueued:
      for (const auto& intent : transaction.intents) {
        const auto found = contents.intents.find(intent.seq);
        if (found != contents.intents.end()) found->second.enqueued = true;
      }
      break;
    case JournalWrite::remember: {
      auto& applied = contents.applied[transaction.id];
      if (applied.version.empty() || newer(transaction.version, applied.version)) {
        applied.version = transaction.version;
        ++applied.seq;
      }
      break;
    }
    case JournalWrite::compact:
      for (const auto& intent : transaction.intents) contents.intents.erase(intent.seq);
      break;
  }
}

std::unique_ptr<JournalStore> make_journal_store(NodeContext& node, TableRef table, Disk& disk, FileStore& files) {
  if (node.scenario.design.journal == JournalKind::sqlite) {
    return std::make_unique<SqliteJournal>(node, table, files);
  }
  return std::make_unique<ModelJournal>(node, table, disk);
}

}  // namespace cohsim
