// An intent that was recorded and not dropped by a power loss has been applied or superseded at some time by a node that its
// queue serves, or stands in the journal, or its job is dead and counted. After a settle, standing there is not enough,
// except where nobody is left to take it: the recording node is down or left, or the node that the queue serves is.
// A server that restarts or fails over is no excuse: what it forgot still stands in the journal, marked as enqueued or not,
// and replay brings it again. Kept are only intents that are still owed.
#include <set>

#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

struct Owed {
  std::string name, version;
  Actor journal;             // the node that recorded it
  std::uint16_t table;
  Actor serves;              // 0: any node
  bool standing = true;      // false: compacted away, or missing after a process crash
};

class NoIntentLost final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "no_intent_lost"; }

  void on(const When&, const event::JournalAttempted& event) override {
    const JournalKey key = journal_key(event.node, event.table.index);
    if (event.write != JournalWrite::record && event.write != JournalWrite::compact) return;
    if (event.intents == nullptr) return;
    pending_[key].push_back({event.transaction, event.write, *event.intents});
  }

  void on(const When&, const event::JournalCommitted& event) override {
    const auto found = pending_.find(journal_key(event.node, event.table.index));
    if (found == pending_.end()) return;
    std::erase_if(found->second, [&](const Pending& pending) {
      if (pending.transaction > event.transaction) return false;
      for (const JournalContents::Intent& intent : pending.intents) {
        if (pending.write == JournalWrite::record) {
          record(event.node, event.table.index, intent);
        } else if (const auto owed = owed_.find(intent.job); owed != owed_.end()) {
          owed->second.standing = false;
        }
      }
      return true;
    });
  }

  void on(const When&, const event::JournalFailed& event) override {
    const auto found = pending_.find(journal_key(event.node, event.table.index));
    if (found == pending_.end()) return;
    std::erase_if(found->second, [&](const Pending& pending) { return pending.transaction == event.transaction; });
  }

  void on(const When&, const event::JournalRecovered& event) override {
    pending_.erase(journal_key(event.node, event.table.index));
    std::set<std::string_view> held;
    for (const auto& [seq, intent] : event.contents->intents) {
      held.insert(intent.job);
      if (!owed_.contains(intent.job)) record(event.node, event.table.index, intent);
    }
    for (auto entry = owed_.begin(); entry != owed_.end();) {
      Owed& owed = entry->second;
      const bool ours = owed.journal == event.node && owed.table == event.table.index;
      if (ours) owed.standing = held.contains(entry->first);
      entry = ours && !owed.standing && event.after_power_loss ? owed_.erase(entry) : std::next(entry);
    }
  }

  /// The only proof: neither a memory nor a verdict says that anything was applied.
  void on(const When&, const event::CoherenceApplied& event) override {
    done(event.node, event.table.index, event.id, event.version);
  }
  void on(const When&, const event::JobSettled& event) override {
    if (event.after == JobState::dead) dead_.emplace(event.job);
  }
  /// Dead rows are gone as well: what the journal holds must be brought again.
  void on(const When&, const event::ServerRestarted& event) override {
    if (!event.kept_rows) dead_.clear();
  }
  /// A job whose death a failover forgot is alive again, or gone, and must be brought again.
  void on(const When&, const event::JobWentBack& event) override {
    if (event.state == JobState::dead) {
      dead_.emplace(event.job);
    } else if (const auto dead = dead_.find(event.job); dead != dead_.end()) {
      dead_.erase(dead);
    }
  }

  void finish(bool settled) override {
    for (const auto& [job, owed] : owed_) {
      if (dead_.contains(job)) continue;
      const bool nobody = !world().node_up(owed.journal) || !served(owed);
      if (owed.standing && (!settled || nobody)) continue;
      violate_at_end(fmt::format("{} recorded job {} for {} at {}: nothing applied it or anything newer, its job is not "
                                 "dead, and {}",
                                 world().actor_name(owed.journal), job, owed.name, show(owed.version),
                                 owed.standing ? "after the settle it only stands in the journal"
                                               : "the journal holds it no more"));
      return;
    }
  }

 private:
  struct Pending {
    std::uint64_t transaction;
    JournalWrite write;
    std::vector<JournalContents::Intent> intents;
  };

  void record(Actor node, std::uint16_t table, const JournalContents::Intent& intent) {
    exercise();
    const Actor serves = served_by(intent.queue);
    const std::string* applied = applied_.find({serves, table, intent.name});
    if (applied != nullptr && !is_newer(intent.version, *applied)) return;  // superseded before it was recorded
    owed_.insert_or_assign(intent.job, Owed{intent.name, intent.version, node, table, serves});
    jobs_of_[{0, table, intent.name}].push_back(intent.job);
  }

  /// `node` applied `version`: what that supersedes is owed no more.
  void done(Actor node, std::uint16_t table, std::string_view id, std::string_view version) {
    for (const Actor serves : {Actor{0}, node}) {
      std::string& applied = applied_[{serves, table, id}];
      if (applied.empty() || is_newer(version, applied)) applied = version;
    }
    std::vector<std::string>* jobs = jobs_of_.find({0, table, id});
    if (jobs == nullptr) return;
    std::erase_if(*jobs, [&](const std::string& job) {
      const auto found = owed_.find(job);
      if (found == owed_.end()) return true;
      const Owed& owed = found->second;
      if ((owed.serves != 0 && owed.serves != node) || is_newer(owed.version, version)) return false;
      owed_.erase(found);
      return true;
    });
  }

  Actor served_by(std::string_view queue) {
    if (world().scenario().design.fanout == Fanout::shared) return 0;
    const auto known = queues_.find(queue);
    if (known != queues_.end()) return known->second;
    Actor serves = 0;
    for (std::size_t i = 0; i < world().node_count(); ++i) {
      const Actor node = static_cast<Actor>(actor_first_node + i);
      const std::string_view name = world().actor_name(node);
      if (queue.ends_with(name) && queue.size() > name.size() && queue[queue.size() - name.size() - 1] == '.') serves = node;
    }
    return queues_.emplace(queue, serves).first->second;
  }

  bool served(const Owed& owed) const {
    if (owed.serves != 0) return world().node_up(owed.serves);
    for (std::size_t i = 0; i < world().node_count(); ++i) {
      if (world().node_up(static_cast<Actor>(actor_first_node + i))) return true;
    }
    return false;
  }

  std::map<std::string, Owed, std::less<>> owed_;       // by job
  ByName<std::vector<std::string>> jobs_of_;            // owed jobs of a name (node 0)
  ByName<std::string> applied_;                         // newest applied, by node; node 0: by any
  std::map<JournalKey, std::vector<Pending>> pending_;
  std::map<std::string, Actor, std::less<>> queues_;
  std::set<std::string, std::less<>> dead_;
};

}  // namespace

std::unique_ptr<Oracle> make_no_intent_lost(const WorldView& world) {
  return std::make_unique<NoIntentLost>(world);
}

}  // namespace cohsim::oracles
