// The journal of one node and table on the job lane: what was intended and what was applied (domain.md section 6).
// One owner: every call runs whole before the next begins.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/client.h"
#include "model/journal_store.h"
#include "model/node_context.h"
#include "model/table.h"
#include "sim/lock.h"

namespace cohsim {

/// Lives in the node's memory; what its store keeps lives on the node's disk.
class Journal {
 public:
  static constexpr DurationUs disk_low_us = 20, disk_high_us = 2'000;

  /// Recovers from the disk at once. `mint_job` makes an id of namespace JOB.
  Journal(NodeContext& node, Client& client, Table& table, std::unique_ptr<JournalStore> store,
          std::function<std::string()> mint_job, bool after_power_loss, bool first_start);

  /// mint → record → enqueue → mark. Answers the enqueue's outcome: under per_node, that of the first queue that did not
  /// admit its job. failed, with nothing recorded: the minted job id stands in the journal already, where it is unique, or
  /// the disk failed.
  Task<Outcome> intend_and_enqueue(std::string id, std::string version);
  Task<JournalVerdict> apply_and_remember(std::string id, std::string version);

  struct ReplayCount {
    std::uint64_t replayed = 0, deduplicated = 0, failed = 0;
  };
  Task<ReplayCount> replay();
  /// Answers how many intents went.
  Task<std::uint64_t> compact();

  [[nodiscard]] const JournalContents& contents() const { return store_->contents(); }
  /// The process dies, its fibers are gone already: a commit under way may be on the disk, in part or as a whole.
  void die();
  /// An operation is under way or waits.
  [[nodiscard]] bool busy() const { return owner_.busy(); }

 private:
  /// False: the disk failed, and nothing of it is kept.
  Task<bool> commit(JournalTransaction transaction);
  void checkpoint_when_due();
  Task<JournalVerdict> apply_now(std::string id, std::string version);
  Task<bool> remember(std::string id, std::string version);
  [[nodiscard]] std::vector<std::string> queues() const;
  [[nodiscard]] std::string own_queue() const;
  [[nodiscard]] std::vector<JournalContents::Intent> all_intents() const;
  Task<Outcome> enqueue_and_mark(JournalContents::Intent intent, bool replaying);

  NodeContext& node_;
  Client& client_;
  Table& table_;
  std::unique_ptr<JournalStore> store_;
  std::function<std::string()> mint_job_;
  OwnerLock owner_;
  std::optional<JournalTransaction> under_way_;  // handed to the disk and not yet there
  std::uint64_t transactions_ = 0;
  std::uint64_t since_checkpoint_ = 0;
  std::int64_t next_seq_ = 1;
  // Only ids of an earlier life can come again, when the clock stepped back: within one life the generator is monotone.
  std::set<std::string> recovered_jobs_;
};

}  // namespace cohsim
