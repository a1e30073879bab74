// A write that commits after another has been seen carries a newer version: the source of truth takes the writes of a name
// one after another, and their versions rise in that order.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class MintOrderIsWriteOrder final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "mint_order_is_write_order"; }

  void on(const When& when, const event::Committed& event) override {
    Newest& newest = newest_[{0, event.table.index, event.id}];
    if (newest.serial != 0) {
      exercise();
      if (!is_newer(event.version, newest.version)) {
        violate(when, fmt::format("{} committed {} of {} with version {} (commit {}), after commit {} with version {}",
                                  world().actor_name(event.node), event.id, event.table.name, show(event.version),
                                  event.serial, newest.serial, show(newest.version)));
      }
    }
    if (newest.serial == 0 || is_newer(event.version, newest.version)) {
      newest = {event.serial, std::string(event.version)};
    }
  }

 private:
  struct Newest {
    std::uint64_t serial = 0;
    std::string version;
  };
  ByName<Newest> newest_;  // node 0
};

}  // namespace

std::unique_ptr<Oracle> make_mint_order_is_write_order(const WorldView& world) {
  return std::make_unique<MintOrderIsWriteOrder>(world);
}

}  // namespace cohsim::oracles
