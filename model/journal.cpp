#include "model/journal.h"

#include <algorithm>

#include "model/message.h"

namespace cohsim {

Journal::Journal(NodeContext& node, Client& client, Table& table, Disk& disk, std::function<std::string()> mint_job,
                 bool after_power_loss, bool first_start)
    : node_(node),
      client_(client),
      table_(table),
      log_(disk, "journal." + table.settings().name),
      mint_job_(std::move(mint_job)),
      owner_(node.scheduler) {
  JournalLog::Recovered recovered = log_.recover(node.run.defect == Defect::recovery_skips_a_record);
  contents_ = std::move(recovered.contents);
  transactions_ = recovered.transactions;
  for (const auto& [seq, intent] : contents_.intents) recovered_jobs_.insert(intent.job);
  if (!contents_.intents.empty()) next_seq_ = contents_.intents.rbegin()->first + 1;
  if (first_start) return;
  node_.note(event::JournalRecovered{node_.actor, table_.ref(), transactions_, after_power_loss, &contents_});
}

// A commit is written in one atomic step somewhere inside the call; a crash may fall before it, or between it and the
// moment its caller is told.
Task<void> Journal::commit(JournalTransaction transaction) {
  const std::uint64_t number = transactions_ + 1;
  node_.note(event::JournalAttempted{node_.actor, table_.ref(), number, transaction.write, &transaction.intents,
                                     transaction.id, transaction.version});
  // Defect: the caller is told before anything is on the disk.
  const bool early = node_.run.defect == Defect::acknowledges_early;
  if (early) node_.note(event::JournalCommitted{node_.actor, table_.ref(), number});
  const DurationUs way = node_.choices.between(Site::disk_latency, node_.actor, disk_low_us, disk_high_us);
  co_await node_.scheduler.sleep(way);
  log_.append(transaction);
  // Defect: an upsert that does not compare.
  if (node_.run.defect == Defect::memory_goes_back && !transaction.id.empty()) contents_.applied.erase(transaction.id);
  apply_transaction(contents_, transaction);
  transactions_ = number;
  co_await node_.scheduler.sleep(disk_low_us);
  if (!early) node_.note(event::JournalCommitted{node_.actor, table_.ref(), number});
  if (++since_checkpoint_ < JournalLog::commits_per_checkpoint) co_return;
  since_checkpoint_ = 0;
  log_.checkpoint(contents_, transactions_);
  node_.note(event::JournalSynced{node_.actor, table_.ref(), transactions_});
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

bool Journal::covered(const JournalContents::Intent& intent) const {
  // `applied` is what this node applied: it says nothing of another node's queue.
  if (intent.queue != own_queue()) return false;
  const auto found = contents_.applied.find(intent.name);
  return found != contents_.applied.end() && !newer(intent.version, found->second.version);
}

std::map<std::int64_t, JournalContents::Intent>::const_iterator Journal::find_job(std::string_view job) const {
  return std::find_if(contents_.intents.begin(), contents_.intents.end(),
                      [&](const auto& entry) { return entry.second.job == job; });
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
  JournalTransaction mark{JournalWrite::mark_enqueued, {intent}, {}, {}};
  Task<void> marking = commit(std::move(mark));
  co_await marking;
  co_return outcome;
}

Task<Outcome> Journal::intend_and_enqueue(std::string id, std::string version) {
  const OwnerLock::Held held = co_await owner_.acquire();
  JournalTransaction record{JournalWrite::record, {}, {}, {}};
  for (const std::string& queue : queues()) {
    record.intents.push_back({next_seq_++, mint_job_(), id, version, queue, false});
  }
  for (const JournalContents::Intent& intent : record.intents) {
    if (recovered_jobs_.contains(intent.job) && contents_.intents.end() != find_job(intent.job)) co_return Outcome::failed;
  }
  co_await node_.operations.at(node_.actor, Point::journal_record);
  const std::vector<JournalContents::Intent> intents = record.intents;
  Task<void> recording = commit(std::move(record));
  co_await recording;
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
  const auto found = contents_.applied.find(id);
  const std::optional<std::string> remembered =
      found == contents_.applied.end() ? std::nullopt : std::optional(found->second.version);
  node_.note(event::JournalCallBegan{node_.actor, table_.ref(), id, version, remembered});
  JournalVerdict verdict = JournalVerdict::remembered_stale;
  const Defect defect = node_.run.defect;
  // Two defects: the memory is not asked before applying.
  const bool unasked = defect == Defect::memory_goes_back || defect == Defect::stale_job_drops;
  if (!remembered || newer(version, *remembered) || unasked) {
    Task<JournalVerdict> applying = apply_now(id, version);
    verdict = co_await applying;
  } else if (defect == Defect::stale_call_removes) {
    table_.remove(id, L1Cause::coherence);  // defect: removing once more can do no harm, can it
  }
  node_.note(event::JournalCallEnded{node_.actor, table_.ref(), id, version, verdict});
  co_return verdict;
}

Task<JournalVerdict> Journal::apply_now(std::string id, std::string version) {
  co_await node_.operations.at(node_.actor, Point::journal_apply);
  if (!table_.is_kind(id)) {
    node_.note(event::KindRefused{node_.actor, table_.ref(), id, "apply_coherence"});
    co_return JournalVerdict::failed;
  }
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
  co_await node_.operations.at(node_.actor, Point::journal_remember);
  JournalTransaction remember{JournalWrite::remember, {}, id, version};
  Task<void> remembering = commit(std::move(remember));
  co_await remembering;
  co_return applied.verdict == Verdict::applied ? JournalVerdict::applied : JournalVerdict::stale;
}

Task<Journal::ReplayCount> Journal::replay() {
  const OwnerLock::Held held = co_await owner_.acquire();
  node_.note(event::ReplayBegan{node_.actor, table_.ref()});
  std::vector<JournalContents::Intent> owed;
  for (const auto& [seq, intent] : contents_.intents) {
    // Defect: the mark is taken for delivery.
    if (intent.enqueued && node_.run.defect == Defect::replay_trusts_marks) continue;
    if (!covered(intent)) owed.push_back(intent);
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
  JournalTransaction compaction{JournalWrite::compact, {}, {}, {}};
  for (const auto& [seq, intent] : contents_.intents) {
    // Defect: nobody asks whether it is covered.
    const bool all = node_.run.defect == Defect::compacts_everything;
    if (all || covered(intent)) compaction.intents.push_back(intent);
  }
  const std::uint64_t count = compaction.intents.size();
  if (count != 0) {
    Task<void> committing = commit(std::move(compaction));
    co_await committing;
  }
  co_return count;
}

}  // namespace cohsim
