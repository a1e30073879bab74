// The table, the script under the server's collation and the journal order any two versions in use the same way, and call
// only identical payloads equal. No comparator is called: each shows its judgement in what it does with two versions, and
// that is held against their numbers, so that the sentence names the one which is out of step.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class ComparatorsAgree final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "comparators_agree"; }

  void on(const When& when, const event::CoherenceApplied& event) override {
    if (event.row) judge(when, "L1 of", event.node, event.version, *event.row, event.verdict == Verdict::applied);
  }
  /// Only a whole row is compared, and an error is no judgement. `before` is what stood there past expiry and eviction.
  void on(const When& when, const event::ScriptRan& event) override {
    if (event.endless || event.reply->is_error()) return;
    if (event.before == nullptr || event.before->bytes.size() < version_size) return;
    judge(when, "the server's script, called by", event.node, event.argument,
          std::string_view(event.before->bytes).substr(0, version_size), event.after == nullptr);
  }

  // The journal compares three times: before it applies, where it remembers, and where it asks what is covered.
  void on(const When& when, const event::JournalCallBegan& event) override {
    calls_.erase(journal_key(event.node, event.table.index));
    if (!event.remembered) return;
    calls_[journal_key(event.node, event.table.index)] = std::string(*event.remembered);
    const std::string* acknowledged = memory_.acknowledged(name_at(event));
    if (acknowledged == nullptr || same_payload(*acknowledged, *event.remembered)) return;
    judge(when, "the upsert of the journal of", event.node, *acknowledged, *event.remembered, false);
  }
  /// Calls of one journal run one at a time.
  void on(const When& when, const event::JournalCallEnded& event) override {
    const auto call = calls_.find(journal_key(event.node, event.table.index));
    if (call == calls_.end()) return;
    judge(when, "the journal of", event.node, event.version, call->second,
          event.verdict != JournalVerdict::remembered_stale);
    calls_.erase(call);
  }
  void on(const When&, const event::JournalCommitted& event) override { memory_.on(event); }
  void on(const When&, const event::JournalFailed& event) override { memory_.on(event); }
  void on(const When&, const event::JournalRecovered& event) override {
    memory_.on(event);
    calls_.erase(journal_key(event.node, event.table.index));
  }
  /// Compaction takes what it holds for covered.
  void on(const When& when, const event::JournalAttempted& event) override {
    memory_.on(event);
    if (event.write != JournalWrite::compact) return;
    for (const JournalContents::Intent& intent : *event.intents) {
      const std::string* covers = memory_.acknowledged({event.node, event.table.index, intent.name});
      if (covers) judge(when, "the compaction of", event.node, intent.version, *covers, false);
    }
  }
  /// A replay brings what it holds for uncovered; another node's queue is never covered, whatever is remembered here.
  void on(const When&, const event::BusAnswered& event) override {
    if (event.verb == "enqueue") enqueued_[event.node] = {std::string(event.job), std::string(event.queue)};
  }
  void on(const When& when, const event::IntentReplayed& event) override {
    const auto last = enqueued_.find(event.node);
    if (last == enqueued_.end() || last->second.first != event.job) return;
    std::string own = "ecc.coh." + std::string(event.table.name);
    if (world().scenario().design.fanout == Fanout::per_node) own += "." + std::string(world().actor_name(event.node));
    const std::string* known = memory_.acknowledged(name_at(event));
    if (known != nullptr && last->second.second == own) {
      judge(when, "the replay of", event.node, event.version, *known, true);
    }
  }

 private:
  void judge(const When& when, std::string_view who, Actor node, std::string_view version, std::string_view standing,
             bool said_newer) {
    exercise();
    if (is_newer(version, standing) == said_newer) return;
    violate(when, fmt::format("{} {} took {} for {} than {}, and by their numbers it is {}: comparators differ (the server's "
                              "collation is {})",
                              who, world().actor_name(node), show(version), said_newer ? "newer" : "no newer",
                              show(standing), said_newer ? "not" : "newer", world().scenario().design.collate));
  }

  AppliedMemory memory_;
  std::map<JournalKey, std::string> calls_;                          // what the call under way found remembered
  std::map<Actor, std::pair<std::string, std::string>> enqueued_;    // job and queue of a node's last enqueue
};

}  // namespace

std::unique_ptr<Oracle> make_comparators_agree(const WorldView& world) {
  return std::make_unique<ComparatorsAgree>(world);
}

}  // namespace cohsim::oracles
