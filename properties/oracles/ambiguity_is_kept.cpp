// Only an acknowledged success sets `enqueued`, `applied` or a completion:
// - an intent is marked enqueued by a node that was answered ok or duplicate for its job, in this life of the node;
// - a version is remembered inside the call that applied it, and, where the receiver drops L2, after an acknowledged drop;
// - a complete that the server ran was asked for by a node whose handler of that job and token had not raised (the request
//   may run late, after the node died).
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class AmbiguityIsKept final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "ambiguity_is_kept"; }

  void on(const When&, const event::BusAnswered& event) override {
    if (event.verb != "enqueue") return;
    if (event.outcome == Outcome::ok || event.outcome == Outcome::duplicate) enqueued_[{event.node, 0, event.job}] = true;
  }

  void on(const When& when, const event::JournalAttempted& event) override {
    switch (event.write) {
      case JournalWrite::record: return judge_marks(when, event, true);
      case JournalWrite::mark_enqueued: return judge_marks(when, event, false);
      case JournalWrite::remember: return judge_remember(when, event);
      case JournalWrite::compact:
        for (const auto& intent : *event.intents) enqueued_.erase({event.node, 0, intent.job});
        return;
    }
  }

  void on(const When& when, const event::JournalCallBegan& event) override {
    calls_[fiber_key(when)] = {event.node, std::string(event.id), std::string(event.version), Outcome::ok, false, false};
  }
  void on(const When& when, const event::JournalCallEnded&) override { calls_.erase(fiber_key(when)); }
  void on(const When& when, const event::DropAnswered& event) override {
    Call* call = call_of(when);
    if (call == nullptr || call->id != event.id || call->version != event.version) return;
    call->drop = event.outcome;
    call->dropped = true;
  }
  void on(const When& when, const event::CoherenceApplied& event) override {
    Call* call = call_of(when);
    if (call != nullptr && call->id == event.id && call->version == event.version) call->applied = true;
  }
  void on(const When&, const event::NodeCrashed& event) override {
    enqueued_.erase_node(event.node);
    std::erase_if(calls_, [&](const auto& call) { return call.second.node == event.node; });
  }

  void on(const When&, const event::HandlerEnded& event) override {
    if (!event.raised) ++succeeded_[{event.node, 0, event.job}][event.token];
  }
  void on(const When& when, const event::JobSettled& event) override {
    if (event.verb != "complete" || event.node < actor_first_node) return;
    exercise();
    const NameView job{event.node, 0, event.job};
    if (auto* tokens = succeeded_.find(job); tokens != nullptr) {
      if (const auto found = tokens->find(event.token); found != tokens->end()) {
        if (--found->second == 0) tokens->erase(found);
        if (tokens->empty()) succeeded_.erase(job);
        return;
      }
    }
    violate(when, fmt::format("{} completed job {} with token {}, though no handler of it there had succeeded",
                              world().actor_name(event.node), event.job, event.token));
  }

 private:
  struct Call {
    Actor node;
    std::string id, version;
    Outcome drop;
    bool dropped = false, applied = false;
  };

  Call* call_of(const When& when) {
    if (calls_.empty()) return nullptr;
    const auto found = calls_.find(fiber_key(when));
    return found == calls_.end() ? nullptr : &found->second;
  }

  void judge_marks(const When& when, const event::JournalAttempted& event, bool only_marked) {
    for (const auto& intent : *event.intents) {
      if (only_marked && !intent.enqueued) continue;
      exercise();
      if (enqueued_.find({event.node, 0, intent.job}) != nullptr) continue;
      violate(when, fmt::format("{} marked job {} for {} as enqueued, though no enqueue of it was acknowledged to this life of "
                                "the node",
                                world().actor_name(event.node), intent.job, intent.name));
    }
  }

  void judge_remember(const When& when, const event::JournalAttempted& event) {
    exercise();
    const Call* call = call_of(when);
    std::string_view why;
    if (call == nullptr || call->id != event.id || call->version != event.version) {
      why = "outside of any call that applies it";
    } else if (call->dropped && call->drop != Outcome::ok) {
      why = "though its drop_l2 was not acknowledged";
    } else if (!call->dropped && world().scenario().design.receiver == Receiver::l1_and_l2) {
      why = "though it ran no drop_l2";
    } else if (!call->applied) {
      why = "though apply_coherence had not answered";
    } else {
      return;
    }
    violate(when, fmt::format("{} remembered {} for {} {}", world().actor_name(event.node), show(event.version), event.id, why));
  }

  ByName<bool> enqueued_;  // jobs whose enqueue was acknowledged to the node (id: job)
  std::map<FiberKey, Call> calls_;
  ByName<std::map<std::int64_t, std::uint32_t>> succeeded_;  // by job, then token (id: job)
};

}  // namespace

std::unique_ptr<Oracle> make_ambiguity_is_kept(const WorldView& world) {
  return std::make_unique<AmbiguityIsKept>(world);
}

}  // namespace cohsim::oracles
