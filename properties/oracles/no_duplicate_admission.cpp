// Enqueue of a job id whose row exists, in whatever state, writes nothing.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class NoDuplicateAdmission final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "no_duplicate_admission"; }

  void on(const When& when, const event::JobEnqueued& event) override {
    if (event.state == JobState::absent) return;
    exercise();
    if (!event.queued) return;
    violate(when, fmt::format("enqueue of job {} on {}, whose row existed{}, wrote a row again and answered {}", event.job,
                              event.queue, event.state == JobState::dead ? " (dead)" : "",
                              event.answered_duplicate ? "duplicate" : "ok"));
  }
};

}  // namespace

std::unique_ptr<Oracle> make_no_duplicate_admission(const WorldView& world) {
  return std::make_unique<NoDuplicateAdmission>(world);
}

}  // namespace cohsim::oracles
