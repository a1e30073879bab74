// Whenever :coherence_drop deletes an L2 row of 14 bytes or more, the incoming payload is newer than the row's.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class NoNewerRowErased final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "no_newer_row_erased"; }

  void on(const When& when, const event::ScriptRan& event) override {
    if (event.endless || event.before == nullptr || event.before->bytes.size() < version_size) return;
    exercise();
    if (event.after != nullptr || is_newer(event.argument, event.before->bytes)) return;
    violate(when, fmt::format("row {} held version {}, the message of {} carried {}, which is not newer: the row was erased",
                              quote(event.key), show(event.before->bytes), world().actor_name(event.node),
                              show(event.argument)));
  }
};

}  // namespace

std::unique_ptr<Oracle> make_no_newer_row_erased(const WorldView& world) {
  return std::make_unique<NoNewerRowErased>(world);
}

}  // namespace cohsim::oracles
