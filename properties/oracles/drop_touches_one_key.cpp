// The script reads and writes no key but KEYS[1], and the one beside it that the design declares: the floor that a drop
// leaves behind, or the lease that it ends.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class DropTouchesOneKey final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "drop_touches_one_key"; }

  void on(const When& when, const event::ScriptRan& event) override {
    if (event.keys_touched == nullptr) return;
    exercise();
    const std::string declared = declared_key(event);
    for (const std::string& key : *event.keys_touched) {
      if (key == event.key || key == declared) continue;
      violate(when, fmt::format("the script called by {} for key {} touched key {} as well", world().actor_name(event.node),
                                quote(event.key), quote(key)));
      return;
    }
  }

 private:
  std::string declared_key(const event::ScriptRan& event) const {
    const Design& design = world().scenario().design;
    const bool floor = design.after_drop == AfterDrop::floor, lease = design.fill_write == FillWrite::lease;
    if (!floor && !lease) return {};
    return fmt::format("ecc.{}:{{{}}}:{}", floor ? "floor" : "lease", event.table.name, event.id);
  }
};

}  // namespace

std::unique_ptr<Oracle> make_drop_touches_one_key(const WorldView& world) {
  return std::make_unique<DropTouchesOneKey>(world);
}

}  // namespace cohsim::oracles
