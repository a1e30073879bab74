#include "model/events.h"

#include <array>

namespace cohsim {

namespace {

template <std::size_t n, class E>
std::string_view pick(const std::array<std::string_view, n>& names, E value) {
  return names[static_cast<std::size_t>(value)];
}

}  // namespace

std::string_view name_of(L1Cause value) {
  static constexpr std::array<std::string_view, 7> names{"put",     "fill",      "coherence", "invalidate",
                                                         "expired", "reclaimed", "owner_died"};
  return pick(names, value);
}

std::string_view name_of(Verdict value) {
  static constexpr std::array<std::string_view, 2> names{"applied", "stale"};
  return pick(names, value);
}

std::string_view name_of(JournalVerdict value) {
  static constexpr std::array<std::string_view, 4> names{"applied", "stale", "remembered_stale", "failed"};
  return pick(names, value);
}

std::string_view name_of(JournalWrite value) {
  static constexpr std::array<std::string_view, 4> names{"record", "mark_enqueued", "remember", "compact"};
  return pick(names, value);
}

std::string_view name_of(JobState value) {
  static constexpr std::array<std::string_view, 5> names{"absent", "pending", "active", "scheduled", "dead"};
  return pick(names, value);
}

std::string_view name_of(Outcome value) {
  static constexpr std::array<std::string_view, 6> names{"ok", "duplicate", "stale", "dead", "failed", "disconnected"};
  return pick(names, value);
}

std::string_view name_of(FetchOutcome value) {
  static constexpr std::array<std::string_view, 7> names{"hit",     "l2_hit", "loaded", "absent",
                                                         "corrupt", "failed", "refused"};
  return pick(names, value);
}

std::string_view lane_name(std::uint8_t lane) {
  static constexpr std::array<std::string_view, 3> names{"none", "broadcast", "job"};
  return names[lane < names.size() ? lane : 0];
}

}  // namespace cohsim
