// Bytes that are not a message change no row and no memory; on the job lane their handler raises. Judged by our own reading
// of the 29 bytes: the ring gets only what a well-formed message to that node carried, MessageMalformed is said of malformed
// bytes only, and a handler of malformed bytes does nothing but raise.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class MalformedIsIgnored final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "malformed_is_ignored"; }

  void on(const When&, const event::MessageSent& event) override { sent(event); }
  void on(const When&, const event::MessageDuplicated& event) override { sent(event); }
  void on(const When&, const event::MessageDropped& event) override {
    // One that the ring refused was offered already.
    if (event.lane == 1 && event.cause != "ring_full") taken({event.to, event.table.index, event.bytes});
  }
  void on(const When&, const event::MessageDelivered& event) override {
    if (event.lane == 1 && !read_message(event.bytes)) exercise();
  }

  void on(const When& when, const event::RingOffered& event) override {
    std::string bytes;
    bytes.reserve(2 * version_size + 1);
    bytes.append(event.id).append(":").append(event.version);
    if (taken({event.node, event.table.index, bytes})) return;
    violate(when, fmt::format("the ring of {} for {} was offered {} at {}, which no well-formed message to it carried",
                              world().actor_name(event.node), event.table.name, quote(event.id), quote(event.version)));
  }

  void on(const When& when, const event::MessageMalformed& event) override {
    if (!read_message(event.bytes)) return;
    violate(when, fmt::format("{} called {} malformed, which is a message", world().actor_name(event.node), quote(event.bytes)));
  }

  void on(const When& when, const event::HandlerBegan& event) override {
    if (read_message(event.payload)) return;
    exercise();
    handlers_[fiber_key(when)] = {event.node, std::string(event.payload)};
  }
  void on(const When& when, const event::HandlerEnded& event) override {
    if (handlers_.empty()) return;
    const auto found = handlers_.find(fiber_key(when));
    if (found == handlers_.end()) return;
    if (!event.raised) blame(when, found->second, "its handler succeeded");
    handlers_.erase(found);
  }
  void on(const When&, const event::NodeCrashed& event) override {
    std::erase_if(handlers_, [&](const auto& entry) { return entry.second.node == event.node; });
  }

  void on(const When& when, const event::L1Changed&) override { did(when, "its handler changed an L1 row"); }
  void on(const When& when, const event::CoherenceApplied&) override { did(when, "its handler ran apply_coherence"); }
  void on(const When& when, const event::DropAnswered&) override { did(when, "its handler ran drop_l2"); }
  void on(const When& when, const event::JournalAttempted&) override { did(when, "its handler wrote to the journal"); }

 private:
  struct Handling {
    Actor node;
    std::string payload;
  };

  template <class Event>
  void sent(const Event& event) {
    if (event.lane == 1 && read_message(event.bytes)) ++coming_[{event.to, event.table.index, event.bytes}];
  }
  bool taken(const NameView& message) {
    std::uint32_t* count = coming_.find(message);
    if (count == nullptr) return false;
    if (--*count == 0) coming_.erase(message);
    return true;
  }
  void did(const When& when, std::string_view what) {
    if (handlers_.empty()) return;
    const auto found = handlers_.find(fiber_key(when));
    if (found != handlers_.end()) blame(when, found->second, what);
  }
  void blame(const When& when, const Handling& handling, std::string_view what) {
    violate(when, fmt::format("a job brought {} to {}, which is no message, and {}", quote(handling.payload),
                              world().actor_name(handling.node), what));
  }

  ByName<std::uint32_t> coming_;  // well-formed broadcasts by receiver, table and bytes, not yet offered to a ring
  std::map<FiberKey, Handling> handlers_;
};

}  // namespace

std::unique_ptr<Oracle> make_malformed_is_ignored(const WorldView& world) {
  return std::make_unique<MalformedIsIgnored>(world);
}

}  // namespace cohsim::oracles
