// No L1 row older than the node's own applied memory is visible at that node: neither put in under a memory that is newer,
// nor standing when a newer version is remembered.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class RememberedRowsStayGone final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "remembered_rows_stay_gone"; }

  void on(const When&, const event::JournalAttempted& event) override {
    memory_.on(event);
    if (event.write == JournalWrite::remember) last_[journal_key(event.node, event.table.index)] = event.id;
  }
  void on(const When& when, const event::JournalCommitted& event) override {
    memory_.on(event);
    const auto last = last_.find(journal_key(event.node, event.table.index));
    if (last == last_.end()) return;
    if (const L1Row* row = world().l1_row(event.node, event.table.index, last->second)) {
      judge(when, {event.node, event.table.index, last->second}, event.table, row->version);
    }
    last_.erase(last);
  }
  void on(const When&, const event::JournalFailed& event) override { memory_.on(event); }
  void on(const When&, const event::JournalRecovered& event) override { memory_.on(event); }
  void on(const When& when, const event::L1Changed& event) override {
    if (event.after) judge(when, name_at(event), event.table, *event.after);
  }

 private:
  void judge(const When& when, const NameView& name, const TableRef& table, std::string_view version) {
    const std::string* memory = memory_.acknowledged(name);
    if (memory == nullptr) return;
    exercise();
    if (!is_newer(*memory, version)) return;
    violate(when, fmt::format("{} remembers {} for {} of {}, and its L1 shows the older {}", world().actor_name(name.node),
                              show(*memory), name.id, table.name, show(version)));
  }

  AppliedMemory memory_;
  std::map<JournalKey, std::string> last_;  // name of the remember under way
};

}  // namespace

std::unique_ptr<Oracle> make_remembered_rows_stay_gone(const WorldView& world) {
  return std::make_unique<RememberedRowsStayGone>(world);
}

}  // namespace cohsim::oracles
