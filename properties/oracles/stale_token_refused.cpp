// Complete or retry with a token other than that of the job's last claim changes nothing: with the job's attempts as tokens,
// other than these. A job that has no row has no claim, so every token is wrong there.
// After a failover its last claim is the last one that the new server knows of.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class StaleTokenRefused final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "stale_token_refused"; }

  void on(const When&, const event::JobClaimed& event) override {
    if (unique()) claims_[{std::string(event.queue), std::string(event.job)}] = event.token;
  }
  void on(const When&, const event::JobWentBack& event) override {
    if (unique()) claims_[{std::string(event.queue), std::string(event.job)}] = event.token;
  }
  void on(const When& when, const event::JobSettled& event) override {
    const bool absent = event.before == JobState::absent;
    const std::int64_t fence = fence_of(event);
    if (!absent && event.token == fence) return;
    exercise();
    const bool changed = event.after != event.before || event.attempts_after != event.attempts_before;
    const bool accepted = !absent && event.answered != Outcome::stale;
    if (!changed && !accepted) return;
    violate(when, fmt::format("{} of job {} by {} with token {}: the job was {} with {} attempts, and then it was {} with {}; "
                              "the answer was {} (its last claim held {})",
                              event.verb, event.job, world().actor_name(event.node), event.token, text(event.before),
                              event.attempts_before, text(event.after), event.attempts_after,
                              accepted ? "not stale" : "stale", fence));
  }

 private:
  bool unique() const { return world().scenario().design.token == JobToken::unique; }
  /// A row that came anew after the claim has none yet: its attempts say so.
  std::int64_t fence_of(const event::JobSettled& event) const {
    if (!unique() || event.attempts_before == 0) return event.attempts_before;
    const auto found = claims_.find({std::string(event.queue), std::string(event.job)});
    return found == claims_.end() ? 0 : found->second;
  }
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

  std::map<std::pair<std::string, std::string>, std::int64_t> claims_;  // by queue and job; unique tokens only
};

}  // namespace

std::unique_ptr<Oracle> make_stale_token_refused(const WorldView& world) {
  return std::make_unique<StaleTokenRefused>(world);
}

}  // namespace cohsim::oracles
