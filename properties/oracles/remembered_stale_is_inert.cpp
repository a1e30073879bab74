// A call that answers remembered_stale changed, by that call, no row, no counter of the table and no memory. What a call did
// is what its own fiber noted between JournalCallBegan and JournalCallEnded; what its drop did at the server is known by the
// answer that the fiber got.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

struct Call {
  Actor node = 0;
  std::string_view did;     // the first thing; empty: nothing
  std::string id, version;  // of that thing
};

class RememberedStaleIsInert final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "remembered_stale_is_inert"; }

  void on(const When& when, const event::JournalCallBegan& event) override {
    calls_[fiber_key(when)] = {event.node, {}, {}, {}};
  }
  void on(const When& when, const event::L1Changed& event) override {
    note(when, "changed the L1 row of", event.id, event.before ? *event.before : event.after.value_or(""));
  }
  void on(const When& when, const event::CoherenceApplied& event) override {
    note(when, "ran apply_coherence on", event.id, event.version);
  }
  void on(const When& when, const event::DropAnswered& event) override {
    note(when, "ran drop_l2 on", event.id, event.version);
  }
  void on(const When& when, const event::JournalAttempted& event) override {
    note(when, "wrote to the journal:", name_of_write(event.write), event.version);
  }

  void on(const When& when, const event::JournalCallEnded& event) override {
    const auto found = calls_.find(fiber_key(when));
    if (found == calls_.end()) return;
    if (event.verdict == JournalVerdict::remembered_stale) {
      exercise();
      const Call& call = found->second;
      if (!call.did.empty()) {
        violate(when, fmt::format("apply_and_remember({}, {}) at {} answered remembered_stale, but it {} {}, version {}",
                                  event.id, show(event.version), world().actor_name(event.node), call.did, call.id,
                                  show(call.version)));
      }
    }
    calls_.erase(found);
  }

  void on(const When&, const event::NodeCrashed& event) override {
    std::erase_if(calls_, [&](const auto& call) { return call.second.node == event.node; });
  }

 private:
  static std::string_view name_of_write(JournalWrite write) {
    switch (write) {
      case JournalWrite::record: return "record";
      case JournalWrite::mark_enqueued: return "mark_enqueued";
      case JournalWrite::remember: return "remember";
      case JournalWrite::compact: return "compact";
    }
    return "?";
  }

  void note(const When& when, std::string_view did, std::string_view id, std::string_view version) {
    if (calls_.empty()) return;
    const auto found = calls_.find(fiber_key(when));
    if (found == calls_.end() || !found->second.did.empty()) return;
    found->second = {found->second.node, did, std::string(id), std::string(version)};
  }

  std::map<FiberKey, Call> calls_;
};

}  // namespace

std::unique_ptr<Oracle> make_remembered_stale_is_inert(const WorldView& world) {
  return std::make_unique<RememberedStaleIsInert>(world);
}

}  // namespace cohsim::oracles
