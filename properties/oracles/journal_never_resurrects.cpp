// Nothing that a node's journal does (apply, replay, compaction, recovery) puts a row into L1 or L2; and a message that came
// by the job lane and is not newer than that node's memory removes no row and runs no drop.
// Attribution: the fiber between Began and Ended of a call or a replay; at the server, the step in which a request of such a
// fiber ran alone. Other actors' work is never blamed, nor
// what a failover brings back in that step.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class JournalNeverResurrects final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "journal_never_resurrects"; }

  void on(const When& when, const event::JournalCallBegan& event) override {
    const std::string* memory = memory_.acknowledged(name_at(event));
    const bool stale = memory != nullptr && !is_newer(event.version, *memory);
    if (stale) exercise();
    fibers_[fiber_key(when)] = {event.node, "apply_and_remember", stale ? *memory : std::string()};
  }
  void on(const When& when, const event::JournalCallEnded&) override { fibers_.erase(fiber_key(when)); }
  void on(const When& when, const event::ReplayBegan& event) override {
    exercise();
    fibers_[fiber_key(when)] = {event.node, "replay", {}};
  }
  void on(const When& when, const event::ReplayEnded&) override { fibers_.erase(fiber_key(when)); }
  void on(const When&, const event::NodeCrashed& event) override {
    std::erase_if(fibers_, [&](const auto& fiber) { return fiber.second.node == event.node; });
  }

  void on(const When& when, const event::L1Changed& event) override {
    const Doing* doing = doing_now(when);
    if (doing == nullptr || !event.after || event.after == event.before) return;
    violate(when, fmt::format("{} of {} put version {} of {} into its L1 (before: {})", doing->what,
                              world().actor_name(event.node), show(event.after), event.id, show(event.before)));
  }

  void on(const When& when, const event::CoherenceApplied& event) override {
    if (event.lane != 2 || !event.row || event.kept == event.row) return;
    const Doing* doing = doing_now(when);
    const std::string* memory = memory_.acknowledged(name_at(event));
    if (doing != nullptr) memory = doing->newest_known.empty() ? nullptr : &doing->newest_known;
    if (memory == nullptr || is_newer(event.version, *memory)) return;
    violate(when, fmt::format("a job brought {} for {} to {}, which remembered {} already: its L1 row {} went",
                              show(event.version), event.id, world().actor_name(event.node), show(*memory), show(event.row)));
  }

  void on(const When& when, const event::DropAnswered& event) override {
    const Doing* doing = doing_now(when);
    if (doing == nullptr || doing->newest_known.empty()) return;
    violate(when, fmt::format("a job brought {} for {} to {}, which remembered {} already, and drop_l2 was called",
                              show(event.version), event.id, world().actor_name(event.node), show(doing->newest_known)));
  }

  void on(const When& when, const event::RequestSent& event) override {
    if (doing_now(when) != nullptr) requests_.mark(event.request, std::uint64_t{event.node} + 1);
  }
  void on(const When& when, const event::RequestRan& event) override {
    if (!requests_.watching()) return;
    blame(requests_.take(when));
    requests_.ran(when, event.request);
  }
  void on(const When& when, const event::RowChanged& event) override {
    if (event.ours && event.cause != "failover" && requests_.watching()) requests_.row(when, event);
  }
  void finish(bool) override { blame(requests_.take_all()); }

  void on(const When&, const event::JournalAttempted& event) override { memory_.on(event); }
  void on(const When&, const event::JournalCommitted& event) override { memory_.on(event); }
  void on(const When&, const event::JournalFailed& event) override { memory_.on(event); }
  void on(const When&, const event::JournalRecovered& event) override { memory_.on(event); }

 private:
  struct Doing {
    Actor node;
    std::string_view what;
    std::string newest_known;  // memory that makes the call's message stale; empty: it is not
  };

  const Doing* doing_now(const When& when) const {
    if (fibers_.empty()) return nullptr;
    const auto found = fibers_.find(fiber_key(when));
    return found == fibers_.end() ? nullptr : &found->second;
  }

  void blame(const std::vector<RequestEffects::Effect>& effects) {
    for (const RequestEffects::Effect& effect : effects) {
      violate(effect.when, fmt::format("a request of the journal of {} put a row of version {} into L2 key {} (before: {})",
                                       world().actor_name(static_cast<Actor>(effect.tag - 1)), show(effect.after),
                                       quote(effect.key), effect.before.empty() ? "none" : show(effect.before)));
    }
  }

  std::map<FiberKey, Doing> fibers_;
  AppliedMemory memory_;
  RequestEffects requests_;
};

}  // namespace

std::unique_ptr<Oracle> make_journal_never_resurrects(const WorldView& world) {
  return std::make_unique<JournalNeverResurrects>(world);
}

}  // namespace cohsim::oracles
