// No row of another namespace is read, written or removed by a table. A message of another namespace may come by: it must
// find no row. Raw commands at the server are nobody's table and not judged.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class KindIsEnforced final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "kind_is_enforced"; }

  void on(const When& when, const event::L1Changed& event) override {
    if (ours(event)) return;
    exercise();
    blame(when, event, fmt::format("its L1 row changed from {} to {}", show(event.before), show(event.after)));
  }
  void on(const When& when, const event::CoherenceApplied& event) override {
    if (ours(event)) return;
    exercise();
    if (event.row) blame(when, event, fmt::format("apply_coherence found an L1 row of version {}", show(event.row)));
  }
  void on(const When& when, const event::FetchEnded& event) override {
    if (ours(event)) return;
    exercise();
    if (event.outcome != FetchOutcome::refused) blame(when, event, "a fetch of it was not refused");
  }
  void on(const When& when, const event::FlightBegan& event) override {
    if (!ours(event)) blame(when, event, fmt::format("flight {} for it began", event.flight));
  }
  void on(const When& when, const event::WriteEnded& event) override {
    if (ours(event)) return;
    exercise();
    if (event.ok) blame(when, event, "a put of it was not refused");
  }
  void on(const When& when, const event::ScriptRan& event) override {
    if (event.node < actor_first_node || ours(event)) return;
    exercise();
    if (event.before != nullptr) blame(when, event, "the script read an L2 row of it");
  }
  void on(const When&, const event::KindRefused& event) override {
    if (!ours(event)) exercise();
  }

 private:
  template <class Event>
  bool ours(const Event& event) const {
    const auto& tables = world().scenario().tables;
    if (event.table.index >= tables.size()) return true;
    return event.id.size() == version_size && event.id.substr(0, 3) == tables[event.table.index].kind;
  }
  template <class Event>
  void blame(const When& when, const Event& event, std::string_view what) {
    violate(when, fmt::format("table {} of kind {} at {} met id {}: {}", event.table.name,
                              world().scenario().tables[event.table.index].kind, world().actor_name(event.node),
                              quote(event.id), what));
  }
};

}  // namespace

std::unique_ptr<Oracle> make_kind_is_enforced(const WorldView& world) {
  return std::make_unique<KindIsEnforced>(world);
}

}  // namespace cohsim::oracles
