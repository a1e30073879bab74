// The same call again, with nothing in between, answers 0 and changes nothing.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class DropIsIdempotent final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "drop_is_idempotent"; }

  void on(const When& when, const event::ScriptRan& event) override {
    if (event.endless || event.again == nullptr) return;
    exercise();
    if (event.again->is_integer(0) && !event.again_changed) return;
    violate(when, fmt::format("row {} with {}: the first call answered {}, the same call again {}{}", quote(event.key),
                              show(event.argument), event.reply ? valkey::to_text(*event.reply) : "nothing",
                              valkey::to_text(*event.again), event.again_changed ? " and changed a row" : ""));
  }
};

}  // namespace

std::unique_ptr<Oracle> make_drop_is_idempotent(const WorldView& world) {
  return std::make_unique<DropIsIdempotent>(world);
}

}  // namespace cohsim::oracles
