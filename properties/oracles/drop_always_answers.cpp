// A call that a healthy server ran answers the integer 0 or 1, whatever string the row holds and whatever bytes the
// message carries. A script that never ends keeps a real server BUSY: that is no answer.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class DropAlwaysAnswers final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "drop_always_answers"; }

  void on(const When& when, const event::ScriptRan& event) override {
    exercise();
    if (event.endless) {
      violate(when, fmt::format("the script called by {} for row {} with {} does not end; it was stopped at {}",
                                world().actor_name(event.node), quote(event.key), show(event.argument), event.endless_at));
      return;
    }
    if (event.reply != nullptr && (event.reply->is_integer(0) || event.reply->is_integer(1))) return;
    violate(when, fmt::format("row {} held {}, the message of {} carried {}, and the script answered {}", quote(event.key),
                              event.before ? quote(event.before->bytes) : "nothing", world().actor_name(event.node),
                              quote(event.argument), event.reply ? valkey::to_text(*event.reply) : "nothing"));
  }
};

}  // namespace

std::unique_ptr<Oracle> make_drop_always_answers(const WorldView& world) {
  return std::make_unique<DropAlwaysAnswers>(world);
}

}  // namespace cohsim::oracles
