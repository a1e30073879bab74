// What a journal holds after recovery is a prefix of its attempted transactions, each whole; after a process crash it holds
// every acknowledged one, after a power loss every synced one. We keep the transactions since the last sync and replay them
// on what was safe then. Not judged is the power loss behind a failed sync: what that dropped may be missing anywhere.
#include <deque>

#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

struct Transaction {
  std::uint64_t number = 0;
  JournalWrite write = JournalWrite::record;
  std::vector<JournalContents::Intent> intents;
  std::string id, version;
};

void apply(JournalContents& contents, const Transaction& transaction) {
  switch (transaction.write) {
    case JournalWrite::record:
      for (const auto& intent : transaction.intents) contents.intents.insert_or_assign(intent.seq, intent);
      return;
    case JournalWrite::mark_enqueued:
      for (const auto& intent : transaction.intents) {
        const auto found = contents.intents.find(intent.seq);
        if (found != contents.intents.end()) found->second.enqueued = true;
      }
      return;
    case JournalWrite::compact:
      for (const auto& intent : transaction.intents) contents.intents.erase(intent.seq);
      return;
    case JournalWrite::remember: {
      auto& applied = contents.applied[transaction.id];
      if (applied.version.empty() || is_newer(transaction.version, applied.version)) applied.version = transaction.version;
      return;
    }
  }
}

// `seq` of applied rows is the journal's own numbering, which events do not carry.
bool equal(const JournalContents& a, const JournalContents& b) {
  if (a.intents.size() != b.intents.size() || a.applied.size() != b.applied.size()) return false;
  for (auto left = a.applied.begin(), right = b.applied.begin(); left != a.applied.end(); ++left, ++right) {
    if (left->first != right->first || left->second.version != right->second.version) return false;
  }
  return a.intents == b.intents;
}

struct Journal {
  JournalContents safe;              // after `safe_number` transactions: synced, so no crash may take it
  std::uint64_t safe_number = 0;
  std::uint64_t acknowledged = 0;
  std::deque<Transaction> attempted; // since then, numbers safe_number + 1 …
  bool sync_failed = false;          // since the last power loss
};

class RecoveryIsAPrefix final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "recovery_is_a_prefix"; }

  void on(const When&, const event::JournalAttempted& event) override {
    Journal& journal = journals_[journal_key(event.node, event.table.index)];
    // A number again: the earlier attempt failed and left nothing.
    while (!journal.attempted.empty() && journal.attempted.back().number >= event.transaction) journal.attempted.pop_back();
    journal.attempted.push_back({event.transaction, event.write,
                                 event.intents ? *event.intents : std::vector<JournalContents::Intent>(),
                                 std::string(event.id), std::string(event.version)});
  }
  void on(const When&, const event::JournalCommitted& event) override {
    Journal& journal = journals_[journal_key(event.node, event.table.index)];
    if (event.transaction > journal.acknowledged) journal.acknowledged = event.transaction;
  }
  void on(const When&, const event::JournalSynced& event) override {
    Journal& journal = journals_[journal_key(event.node, event.table.index)];
    while (!journal.attempted.empty() && journal.attempted.front().number <= event.transaction) {
      apply(journal.safe, journal.attempted.front());
      journal.safe_number = journal.attempted.front().number;
      journal.attempted.pop_front();
    }
  }

  void on(const When&, const event::JournalFailed& event) override {
    Journal& journal = journals_[journal_key(event.node, event.table.index)];
    if (!journal.attempted.empty() && journal.attempted.back().number == event.transaction) journal.attempted.pop_back();
  }
  void on(const When&, const event::SyncFailed& event) override {
    journals_[journal_key(event.node, event.table.index)].sync_failed = true;
  }

  void on(const When& when, const event::JournalRecovered& event) override {
    Journal& journal = journals_[journal_key(event.node, event.table.index)];
    if (event.after_power_loss && journal.sync_failed) {
      journal = {*event.contents, event.transactions, event.transactions, {}, false};
      return;
    }
    if (journal.safe_number != 0 || !journal.attempted.empty()) exercise();
    const std::uint64_t least = event.after_power_loss ? journal.safe_number : journal.acknowledged;
    std::optional<std::size_t> kept;
    std::uint64_t longest = 0;  // an equal prefix that lacks what must be there
    JournalContents replayed = journal.safe;
    for (std::size_t i = 0;; ++i) {
      const std::uint64_t number = i == 0 ? journal.safe_number : journal.attempted[i - 1].number;
      if (equal(replayed, *event.contents)) {
        longest = number;
        if (number >= least) kept = i;
        if (kept && number >= event.transactions) break;
      }
      if (i == journal.attempted.size()) break;
      apply(replayed, journal.attempted[i]);
    }
    if (!kept) {
      blame(when, event, journal, least, longest);
      journal.safe = *event.contents;
      journal.attempted.clear();
      journal.safe_number = event.transactions;
    } else {
      journal.attempted.resize(*kept);
    }
    journal.acknowledged = journal.attempted.empty() ? journal.safe_number : journal.attempted.back().number;
  }

 private:
  void blame(const When& when, const event::JournalRecovered& event, const Journal& journal, std::uint64_t least,
             std::uint64_t longest) {
    const std::uint64_t last = journal.attempted.empty() ? journal.safe_number : journal.attempted.back().number;
    violate(when, fmt::format("after a {} the journal of {} for {} holds {} intents and {} applied versions, {}; "
                              "attempted were {} transactions, of which {} had to be there",
                              event.after_power_loss ? "power loss" : "process crash", world().actor_name(event.node),
                              event.table.name, event.contents->intents.size(), event.contents->applied.size(),
                              longest == 0 ? "which is no prefix of what it wrote"
                                           : fmt::format("which is its first {} transactions only", longest),
                              last, least));
  }

  std::map<JournalKey, Journal> journals_;
};

}  // namespace

std::unique_ptr<Oracle> make_recovery_is_a_prefix(const WorldView& world) {
  return std::make_unique<RecoveryIsAPrefix>(world);
}

}  // namespace cohsim::oracles
