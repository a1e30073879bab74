// applied[name] of a node's journal never decreases across process crashes and restarts; after a power loss it is a value
// it had before. What the node holds is seen when a call reads it, when a recovery shows it, and in the journal itself at
// each acknowledged remember.
#include <algorithm>

#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

struct History {
  std::string now;                // empty: none
  std::vector<std::string> had;   // every value handed to the disk, oldest first, the last `most` of them
  bool forgotten = false;         // older ones were dropped: then nothing older than had.front() can be refused
  static constexpr std::size_t most = 64;
};

class MemoryNeverGoesBack final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "memory_never_goes_back"; }

  void on(const When&, const event::JournalAttempted& event) override {
    if (event.write != JournalWrite::remember) return;
    History& history = history_[name_at(event)];
    pending_[journal_key(event.node, event.table.index)].push_back(
        {event.transaction, std::string(event.id), std::string(event.version)});
    if (!history.had.empty() && same_payload(history.had.back(), event.version)) return;
    if (history.had.size() == History::most) {
      history.had.erase(history.had.begin());
      history.forgotten = true;
    }
    history.had.emplace_back(event.version);
  }

  void on(const When& when, const event::JournalCommitted& event) override {
    const auto found = pending_.find(journal_key(event.node, event.table.index));
    if (found == pending_.end()) return;
    const JournalContents* journal = world().journal(event.node, event.table.index);
    std::erase_if(found->second, [&](const Pending& pending) {
      if (pending.transaction > event.transaction) return false;
      const NameView name{event.node, event.table.index, pending.id};
      History& history = history_[name];
      if (journal != nullptr) {
        const auto held = journal->applied.find(pending.id);
        judge(when, name, event.table, history,
              held == journal->applied.end() ? std::nullopt : std::optional<std::string_view>(held->second.version));
      }
      if (history.now.empty() || is_newer(pending.version, history.now)) history.now = pending.version;
      return true;
    });
  }

  void on(const When&, const event::JournalFailed& event) override {
    const auto found = pending_.find(journal_key(event.node, event.table.index));
    if (found == pending_.end()) return;
    std::erase_if(found->second, [&](const Pending& pending) { return pending.transaction == event.transaction; });
  }

  void on(const When& when, const event::JournalCallBegan& event) override {
    History* history = history_.find(name_at(event));
    if (history != nullptr) judge(when, name_at(event), event.table, *history, event.remembered);
  }

  void on(const When& when, const event::JournalRecovered& event) override {
    pending_.erase(journal_key(event.node, event.table.index));
    const auto& applied = event.contents->applied;
    for (auto& [key, history] : history_) {
      if (key.node != event.node || key.table != event.table.index) continue;
      const auto found = applied.find(key.id);
      const auto held = found == applied.end() ? std::nullopt : std::optional<std::string_view>(found->second.version);
      if (event.after_power_loss) {
        judge_power_loss(when, key, event.table, history, held);
      } else {
        judge(when, {key.node, key.table, key.id}, event.table, history, held);
      }
      history.now = held.value_or("");
    }
    for (const auto& [id, entry] : applied) {
      History& history = history_[{event.node, event.table.index, id}];
      if (!history.now.empty()) continue;
      history.now = entry.version;
      history.had.push_back(entry.version);
    }
  }

 private:
  struct Pending {
    std::uint64_t transaction;
    std::string id, version;
  };

  void judge(const When& when, const NameView& name, const TableRef& table, const History& history,
             std::optional<std::string_view> held) {
    if (history.now.empty()) return;
    exercise();
    if (held && !is_newer(history.now, *held)) return;
    violate(when, fmt::format("the journal of {} for {} had applied[{}] = {} and now holds {}",
                              world().actor_name(name.node), table.name, name.id, show(history.now), show(held)));
  }

  void judge_power_loss(const When& when, const NameKey& name, const TableRef& table, const History& history,
                        std::optional<std::string_view> held) {
    if (history.had.empty()) return;
    exercise();
    if (!held) return;  // it had nothing, at first
    const auto equal = [&](const std::string& had) { return same_payload(had, *held); };
    if (std::any_of(history.had.begin(), history.had.end(), equal)) return;
    if (history.forgotten && is_newer(history.had.front(), *held)) return;
    violate(when, fmt::format("after a power loss the journal of {} for {} holds applied[{}] = {}, which it never held before",
                              world().actor_name(name.node), table.name, name.id, show(held)));
  }

  ByName<History> history_;
  std::map<JournalKey, std::vector<Pending>> pending_;
};

}  // namespace

std::unique_ptr<Oracle> make_memory_never_goes_back(const WorldView& world) {
  return std::make_unique<MemoryNeverGoesBack>(world);
}

}  // namespace cohsim::oracles
