// Whenever the incoming payload is newer than a present row's, or the row is shorter than 14 bytes, the row is gone after
// the call.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class NewerMessageDrops final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "newer_message_drops"; }

  void on(const When& when, const event::ScriptRan& event) override {
    if (event.endless || event.before == nullptr) return;
    const std::string& row = event.before->bytes;
    const bool is_short = row.size() < version_size;
    if (!is_short && !is_newer(event.argument, row)) return;
    exercise();
    if (event.after == nullptr) return;
    violate(when, is_short ? fmt::format("row {} is {} bytes long, too short for a version, and stayed when {} called with {}",
                                         quote(event.key), row.size(), world().actor_name(event.node), show(event.argument))
                           : fmt::format("row {} held version {}, the message of {} carried newer {}, and the row stayed",
                                         quote(event.key), show(row), world().actor_name(event.node), show(event.argument)));
  }
};

}  // namespace

std::unique_ptr<Oracle> make_newer_message_drops(const WorldView& world) {
  return std::make_unique<NewerMessageDrops>(world);
}

}  // namespace cohsim::oracles
