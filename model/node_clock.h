// The two clocks of a node against virtual time (domain.md section 1): both drift alike; the monotonic one stands still in a
// pause and never steps, the wall clock goes on and may be off and step.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/time.h"

namespace cohsim {

/// Survives the restarts of its node. `now` is virtual time and must not decrease from call to call.
class NodeClock {
 public:
  /// How much faster than virtual time the clocks run from now on, in parts per million; above -1'000'000.
  void drift(TimeUs now, std::int32_t ppm) {
    fold(now);
    drifted_at_base_ = drifted(now);
    base_ = now;
    drift_ppm_ = ppm;
  }
  /// The monotonic clock stands still from now until `until`.
  void pause(TimeUs now, TimeUs until) {
    fold(now);
    paused_from_ = now;
    paused_until_ = std::max(paused_until_, until);
  }
  /// The pause is over: another process runs.
  void end_pause(TimeUs now) {
    fold(now);
    paused_until_ = std::min(paused_until_, now);
  }
  void step(DurationUs by_us) { offset_us_ += by_us; }

  [[nodiscard]] TimeUs monotonic_us(TimeUs now) const { return drifted(now) - stood_us_ - stands_for(now); }
  /// Microseconds since the run began, by the wall clock.
  [[nodiscard]] TimeUs wall_us(TimeUs now) const { return drifted(now) + offset_us_; }
  /// Virtual time until the monotonic clock has gone on by `local_us`, unless something else happens to it. At least 1 for
  /// a positive span.
  [[nodiscard]] DurationUs until_gone(TimeUs now, DurationUs local_us) const {
    const DurationUs rest_of_pause = std::max<DurationUs>(0, paused_until_ - now);
    const std::int64_t rate = million + drift_ppm_;
    return rest_of_pause + (local_us * million + rate - 1) / rate;
  }
  [[nodiscard]] std::int32_t drift_ppm() const { return drift_ppm_; }

 private:
  static constexpr std::int64_t million = 1'000'000;

  // By whole microseconds, rounded down: monotone, and the same everywhere.
  [[nodiscard]] TimeUs drifted(TimeUs now) const {
    const DurationUs elapsed = now - base_;
    const std::int64_t scaled = elapsed * drift_ppm_;
    const std::int64_t whole = scaled / million - (scaled % million < 0 ? 1 : 0);
    return drifted_at_base_ + elapsed + whole;
  }
  /// How long the pause that began last has held the clock by now.
  [[nodiscard]] DurationUs stands_for(TimeUs now) const {
    const TimeUs end = std::min(now, paused_until_);
    return end <= paused_from_ ? 0 : drifted(end) - drifted(paused_from_);
  }

  // What the pause has taken so far is put aside, so that another rate or another pause may begin.
  void fold(TimeUs now) {
    stood_us_ += stands_for(now);
    paused_from_ = std::max(paused_from_, std::min(now, paused_until_));
  }

  TimeUs base_ = 0, drifted_at_base_ = 0;
  std::int32_t drift_ppm_ = 0;
  TimeUs paused_from_ = 0, paused_until_ = 0;
  DurationUs stood_us_ = 0;
  DurationUs offset_us_ = 0;
};

}  // namespace cohsim
