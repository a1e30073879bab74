// From equal rows and memory, with no other writer between, any order and multiplicity of the same applied messages leaves
// equal rows and memory. So the outcome must be what the newest of them alone implies: after each message, the L1 row that
// stood at the beginning is there exactly if no message so far was newer, and the memory is the newest remembered. Another
// writer of the row (put, fill, invalidate, expiry, a dead owner, a crash) begins anew.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

struct Batch {
  bool known = false;        // `row` is what stood before the first message
  std::string row;           // empty: none
  std::string newest;        // of the messages
  std::uint32_t messages = 0, different = 0;
};

class OrderDoesNotMatter final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "order_does_not_matter"; }

  void on(const When&, const event::L1Changed& event) override {
    if (event.why == L1Cause::coherence) return;
    if (Batch* batch = batches_.find(name_at(event)); batch != nullptr) *batch = {};
  }
  void on(const When&, const event::OwnerDied& event) override { batches_.erase_table(event.node, event.table.index); }
  /// Expiry is suspended in between: rows past their deadline come back, and go again.
  void on(const When&, const event::SettleBegan&) override { batches_.clear(); }
  void on(const When&, const event::SettleEnded&) override { batches_.clear(); }
  void on(const When&, const event::NodeCrashed& event) override {
    batches_.erase_node(event.node);
    remembered_.erase_node(event.node);
  }

  void on(const When& when, const event::CoherenceApplied& event) override {
    Batch& batch = batches_[name_at(event)];
    if (!batch.known || (stands(batch) && !event.row)) begin(batch, event.row);
    ++batch.messages;
    if (batch.newest.empty()) {
      batch.newest = event.version;
      batch.different = 1;
    } else if (!same_payload(batch.newest, event.version)) {
      ++batch.different;
      if (is_newer(event.version, batch.newest)) batch.newest = event.version;
    }
    if (batch.messages < 2) return;
    if (batch.different > 1) exercise();
    if (event.kept.has_value() == stands(batch)) return;
    violate(when, fmt::format("{} held {} of {} at version {}; of {} different messages applied since, the newest was {}, "
                              "yet the row {}",
                              world().actor_name(event.node), event.id, event.table.name,
                              batch.row.empty() ? "none" : show(batch.row), batch.different, show(batch.newest),
                              event.kept ? "stands" : "is gone"));
  }

  void on(const When&, const event::JournalAttempted& event) override { memory_.on(event); }
  void on(const When&, const event::JournalCommitted& event) override { memory_.on(event); }
  void on(const When&, const event::JournalFailed& event) override { memory_.on(event); }
  void on(const When&, const event::JournalRecovered& event) override { memory_.on(event); }

  void on(const When& when, const event::JournalCallBegan& event) override {
    const std::string* least = memory_.acknowledged(name_at(event));
    const std::string* most = memory_.attempted(name_at(event));
    if (least == nullptr || most == nullptr) return;
    std::string& last = remembered_[name_at(event)];
    if (!last.empty() && !same_payload(last, *least)) exercise();
    last = *least;
    if (event.remembered && !is_newer(*least, *event.remembered) && !is_newer(*event.remembered, *most)) return;
    violate(when, fmt::format("{} remembered versions of {} up to {}, yet its memory of the name is {}",
                              world().actor_name(event.node), event.id, show(*least), show(event.remembered)));
  }

 private:
  static bool stands(const Batch& batch) {
    return !batch.row.empty() && (batch.newest.empty() || !is_newer(batch.newest, batch.row));
  }
  /// A row past its deadline is gone without an event. (One that stands though it should be gone has no such excuse.)
  static void begin(Batch& batch, std::optional<std::string_view> row) {
    batch = {true, std::string(row.value_or("")), {}, 0, 0};
  }

  ByName<Batch> batches_;
  ByName<std::string> remembered_;
  AppliedMemory memory_;
};

}  // namespace

std::unique_ptr<Oracle> make_order_does_not_matter(const WorldView& world) {
  return std::make_unique<OrderDoesNotMatter>(world);
}

}  // namespace cohsim::oracles
