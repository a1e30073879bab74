// Complete or retry with a token other than the job's attempts changes nothing. A job that has no row has no attempts, so
// every token is wrong there.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class StaleTokenRefused final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "stale_token_refused"; }

  void on(const When& when, const event::JobSettled& event) override {
    const bool absent = event.before == JobState::absent;
    if (!absent && event.token == event.attempts_before) return;
    exercise();
    const bool changed = event.after != event.before || event.attempts_after != event.attempts_before;
    const bool accepted = !absent && event.answered != Outcome::stale;
    if (!changed && !accepted) return;
    violate(when, fmt::format("{} of job {} by {} with token {}: the job was {} with {} attempts, and then it was {} with {}; "
                              "the answer was {}",
                              event.verb, event.job, world().actor_name(event.node), event.token, text(event.before),
                              event.attempts_before, text(event.after), event.attempts_after,
                              accepted ? "not stale" : "stale"));
  }

 private:
  static std::string_view text(JobState state) {
    switch (state) {
      case JobState::absent: return "absent";
      case JobState::pending: return "pending";
      case JobState::active: return "active";
      case JobState::scheduled: return "scheduled";
      case JobState::dead: return "dead";
    }
    return "?";
  }
};

}  // namespace

std::unique_ptr<Oracle> make_stale_token_refused(const WorldView& world) {
  return std::make_unique<StaleTokenRefused>(world);
}

}  // namespace cohsim::oracles
