#include "model/journal.h"

#include <algorithm>

#include "model/message.h"

namespace cohsim {

Journal::Journal(NodeContext& node, Client& client, Table& table, std::unique_ptr<JournalStore> store,
                 std::function<std::string()> mint_job, bool after_power_loss, bool first_start)
    : node_(node),
      client_(client),
      table_(table),
      store_(std::move(store)),
      mint_job_(std::move(mint_job)),
      owner_(node.scheduler) {
  transactions_ = store_->recover();
  const JournalContents& contents = store_->contents();
  for (const auto& [seq, intent] : contents.intents) recovered_jobs_.insert(intent.job);
  if (!contents.intents.empty()) next_seq_ = contents.intents.rbegin()->first + 1;
  if (first_start) return;
  node_.note(event::JournalRecovered{node_.actor, table_.ref(), transactions_, after_power_loss, &contents});
}

// A commit is written in one atomic step somewhere inside the call; a crash may fall before it, or between it and the
// moment its caller is told; where the store is more than one write, it may fall inside it too (die).
Task<bool> Journal::commit(JournalTransaction transaction) {
  const std::uint64_t number = transactions_ + 1;
  node_.note(event::JournalAttempted{node_.actor, table_.ref(), number, transaction.write, &transaction.intents,
                                     transaction.id, transaction.version});
  // Defect: the mark never gets to the store, and its caller is told that it did.
  if (node_.run.defect == Defect::mark_lost && transaction.write == JournalWrite::mark_enqueued) transaction.intents.clear();
  // Defect: the caller is told before anything is on the disk.
  const bool early = node_.run.defect == Defect::acknowledges_early;
  if (early) node_.note(event::JournalCommitted{node_.actor, table_.ref(), number});
  const DurationUs way = node_.choices.between(Site::disk_latency, node_.actor, disk_low_us, disk_high_us);
  // Defect: an upsert that does not compare.
  transaction.overwrites = node_.run.defect == Defect::memory_goes_back;
  under_way_ = transaction;
  co_await node_.scheduler.sleep(way);
  under_way_.reset();
  if (!store_->commit(transaction, number)) {
    node_.note(event::JournalFailed{node_.actor, table_.ref(), number});
    co_return false;
  }
  transactions_ = number;
  co_await node_.scheduler.sleep(disk_low_us);
  if (!early) node_.note(event::JournalCommitted{node_.actor, table_.ref(), number});
  checkpoint_when_due();
  co_return true;
}

void Journal::checkpoint_when_due() {
  if (++since_checkpoint_ < JournalStore::commits_per_checkpoint) return;
  since_checkpoint_ = 0;
  if (store_->checkpoint(transactions_)) node_.note(event::JournalSynced{node_.actor, table_.ref(), transactions_});
}

void Journal::die() {
  const bool checkpoint_due = since_checkpoint_ + 1 == JournalStore::commits_per_checkpoint;
  store_->die(under_way_ ? &*under_way_ : nullptr, transactions_ + 1, checkpoint_due);
}

std::string Journal::own_queue() const {
  const bool shared = node_.scenario.design.fanout == Fanout::shared;
  const std::string& node = node_.scenario.nodes[static_cast<std::size_t>(node_.actor - actor_first_node)];
  return job_queue(table_.settings().name, shared ? std::string_view() : std::string_view(node));
}

std::vector<std::string> Journal::queues() const {
  const std::string& table = table_.settings().name;
  if (node_.scenario.design.fanout == Fanout::shared) return {job_queue(table)};
  std::vector<std::string> all;
  for (const std::string& node : node_.scenario.nodes) all.push_back(job_queue(table, node));
  return all;
}

std::vector<JournalContents::Intent> Journal::all_intents() const {
  std::vector<JournalContents::Intent> all;
  for (const auto& [seq, intent] : contents().intents) all.push_back(intent);
  return all;
}

Task<Outcome> Journal::enqueue_and_mark(JournalContents::Intent intent, bool replaying) {
  co_await node_.operations.at(node_.actor, replaying ? Point::replay_enqueue : Point::journal_enqueue);
  std::string payload = to_bytes(CoherenceMessage{intent.name, intent.version});
  Task<Outcome> enqueueing = client_.enqueue(intent.queue, intent.job, std::move(payload), intent.name);
  const Outcome outcome = co_await enqueueing;
  // Defect: no answer is taken for a good one.
  const bool assumed = outcome == Outcome::disconnected && node_.run.defect == Defect::disconnected_is_marked;
  const bool admitted = outcome == Outcome::ok || outcome == Outcome::duplicate || assumed;
  if (!admitted || intent.enqueued) co_return outcome;
  co_await node_.operations.at(node_.actor, Point::journal_mark);
  JournalTransaction mark{JournalWrite::mark_enqueued, {intent}, {}, {}, false};
  Task<bool> marking = commit(std::move(mark));
  co_await marking;  // without the mark it is enqueued again some day, and refused as a double
  co_return outcome;
}

Task<Outcome> Journal::intend_and_enqueue(std::string id, std::string version) {
  const OwnerLock::Held held = co_await owner_.acquire();
  JournalTransaction record{JournalWrite::record, {}, {}, {}, false};
  for (const std::string& queue : queues()) {
    record.intents.push_back({next_seq_++, mint_job_(), id, version, queue, false});
  }
  for (const JournalContents::Intent& intent : record.intents) {
    if (recovered_jobs_.contains(intent.job) && store_->has_job(intent.job)) co_return Outcome::failed;
  }
  co_await node_.operations.at(node_.actor, Point::journal_record);
  const std::vector<JournalContents::Intent> intents = record.intents;
  Task<bool> recording = commit(std::move(record));
  const bool recorded = co_await recording;
  if (!recorded) co_return Outcome::failed;
  Outcome answer = Outcome::ok;
  for (const JournalContents::Intent& intent : intents) {
    Task<Outcome> enqueueing = enqueue_and_mark(intent, false);
    const Outcome outcome = co_await enqueueing;
    if (answer == Outcome::ok) answer = outcome;
  }
  co_return answer;
}

Task<JournalVerdict> Journal::apply_and_remember(std::string id, std::string version) {
  const OwnerLock::Held held = co_await owner_.acquire();
  const std::optional<std::string> remembered = store_->remembered(id);
  node_.note(event::JournalCallBegan{node_.actor, table_.ref(), id, version, remembered});
  JournalVerdict verdict = JournalVerdict::remembered_stale;
  const Defect defect = node_.run.defect;
  // Two defects: the memory is not asked before applying.
  const bool unasked = defect == Defect::memory_goes_back || defect == Defect::stale_job_drops;
  // Defect: whole versions are compared, with their namespaces.
  const bool whole = defect == Defect::memory_compares_namespaces;
  if (!remembered || (whole ? version > *remembered : newer(version, *remembered)) || unasked) {
    Task<JournalVerdict> applying = apply_now(id, version);
    verdict = co_await applying;
  } else if (defect == Defect::stale_call_removes) {
    table_.remove(id, L1Cause::coherence);  // defect: removing once more can do no harm, can it
  }
  node_.note(event::JournalCallEnded{node_.actor, table_.ref(), id, version, verdict});
  co_return verdict;
}

Task<bool> Journal::remember(std::string id, std::string version) {
  co_await node_.operations.at(node_.actor, Point::journal_remember);
  JournalTransaction remember{JournalWrite::remember, {}, std::move(id), std::move(version), false};
  Task<bool> remembering = commit(std::move(remember));
  const bool kept = co_await remembering;
  co_return kept;
}

Task<JournalVerdict> Journal::apply_now(std::string id, std::string version) {
  co_await node_.operations.at(node_.actor, Point::journal_apply);
  if (!table_.is_kind(id)) {
    node_.note(event::KindRefused{node_.actor, table_.ref(), id, "apply_coherence"});
    co_return JournalVerdict::failed;
  }
  // Defect: the memory is written before what it stands for has happened.
  if (node_.run.defect == Defect::remembers_first) co_await remember(id, version);
  if (node_.scenario.design.receiver == Receiver::l1_and_l2) {
    co_await node_.operations.at(node_.actor, Point::drop_call);
    Task<Client::DropAnswer> dropping = client_.drop_l2(table_.ref(), id, version);
    const Client::DropAnswer answer = co_await dropping;
    // Defect: the drop's outcome is not looked at.
    const bool blind = node_.run.defect == Defect::failed_drop_is_remembered;
    if (answer.outcome != Outcome::ok && !blind) co_return JournalVerdict::failed;
  }
  Task<Table::ApplyResult> applying = table_.apply_coherence(id, version);
  const Table::ApplyResult applied = co_await applying;
  if (!applied.answered) co_return JournalVerdict::failed;
  Task<bool> remembering = remember(id, version);
  const bool kept = co_await remembering;
  if (!kept) co_return JournalVerdict::failed;
  co_return applied.verdict == Verdict::applied ? JournalVerdict::applied : JournalVerdict::stale;
}

Task<Journal::ReplayCount> Journal::replay() {
  const OwnerLock::Held held = co_await owner_.acquire();
  node_.note(event::ReplayBegan{node_.actor, table_.ref()});
  // Defect: nobody asks whether it is covered.
  const bool all = node_.run.defect == Defect::replay_ignores_coverage;
  std::vector<JournalContents::Intent> owed = all ? all_intents() : store_->intents(false, own_queue());
  // Defect: the mark is taken for delivery.
  if (node_.run.defect == Defect::replay_trusts_marks) {
    std::erase_if(owed, [](const auto& intent) { return intent.enqueued; });
  }
  ReplayCount count;
  for (const JournalContents::Intent& intent : owed) {
    Task<Outcome> enqueueing = enqueue_and_mark(intent, true);
    const Outcome outcome = co_await enqueueing;
    count.replayed += outcome == Outcome::ok;
    count.deduplicated += outcome == Outcome::duplicate;
    count.failed += outcome == Outcome::disconnected || outcome == Outcome::failed;
    node_.note(event::IntentReplayed{node_.actor, table_.ref(), intent.seq, intent.job, intent.name, intent.version,
                                     outcome});
  }
  node_.note(event::ReplayEnded{node_.actor, table_.ref(), count.replayed, count.deduplicated});
  co_return count;
}

Task<std::uint64_t> Journal::compact() {
  const OwnerLock::Held held = co_await owner_.acquire();
  JournalTransaction compaction{JournalWrite::compact, {}, {}, {}, false};
  // Defect: nobody asks whether it is covered.
  const bool all = node_.run.defect == Defect::compacts_everything;
  compaction.intents = all ? all_intents() : store_->intents(true, own_queue());
  const std::uint64_t count = compaction.intents.size();
  if (count == 0) co_return 0;
  Task<bool> committing = commit(std::move(compaction));
  const bool done = co_await committing;
  co_return done ? count : 0;
}

}  // namespace cohsim
