// What goes wrong, how often, at whom and when: the `faults` of a scenario.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/choices.h"
#include "sim/disk_faults.h"
#include "sim/time.h"

namespace cohsim {

/// A closed range of virtual time.
struct DurationRange {
  DurationUs low_us = 0;
  DurationUs high_us = 0;
  friend bool operator==(const DurationRange&, const DurationRange&) = default;
};

/// A closed range of signed shares, in parts per million.
struct ShareRange {
  std::int32_t low_ppm = 0;
  std::int32_t high_ppm = 0;
  friend bool operator==(const ShareRange&, const ShareRange&) = default;
};

/// What a group of faults is limited to. An empty list names everybody.
struct Aim {
  std::optional<DurationRange> during{}; ///< of virtual time since the run began, the end excluded; nullopt: always
  std::vector<std::string> nodes{};     ///< whom it strikes; of messages those that receive (`to`)
  std::vector<std::string> from{};      ///< of messages: who sent it
  std::vector<std::string> tables{};    ///< of messages, handlers and the loader
  std::vector<std::string> kinds{};     ///< of messages: "broadcast", "job"
};

struct MessageFaults {
  Ppm drop = 0, duplicate = 0, reorder = 0;
  std::optional<DurationRange> delay{};   ///< nullopt: the link's ordinary latency, in order
  Aim aim{};
};
struct ConnectionFaults {
  Ppm reset = 0;                          ///< per command
  Ppm away = 0;                           ///< per node and virtual second: its subscriber is cut off
  DurationRange away_for{100 * us_per_ms, 10 * us_per_s};
  Ppm partition = 0;                      ///< per node and virtual second: it is cut off from the server, one way or both
  DurationRange partition_for{100 * us_per_ms, 5 * us_per_s};
  Aim aim{};
};
struct NodeFaults {
  Ppm crash = 0;                          ///< per node and virtual second, landing on a drawn await
  Ppm power_loss = 0;                     ///< share of crashes that are power losses
  DurationRange down{10 * us_per_ms, 5 * us_per_s};
  Ppm pause = 0;                          ///< per node and virtual second: it stands still
  DurationRange pause_for{us_per_s, 45 * us_per_s};  ///< longer than a lease at the far end
  Aim aim{};
};
struct ClockFaults {
  std::optional<DurationRange> offset{};  ///< drawn once a node, low may be negative
  Ppm step = 0;                           ///< per node and virtual second; a step is drawn from `step_by`
  DurationRange step_by{-us_per_s, us_per_s};
  std::optional<ShareRange> drift{};      ///< drawn once a node: how much faster its clocks run
  Aim aim{};
};
struct ValkeyFaults {
  Ppm restart = 0, flush_scripts = 0, evict = 0;  ///< per command
  bool keep_rows = false;                 ///< whether a restart keeps the rows and the queues
  Ppm failover = 0;                       ///< per command: a replica takes over
  std::uint32_t lose = 10;                ///< how many of the newest writes it lacks at most
  Ppm full = 0;                           ///< per command: writes are refused for `full_for`
  DurationRange full_for{100 * us_per_ms, 5 * us_per_s};
  Ppm slow = 0;                           ///< per command: it takes `slow_for`, and everybody waits
  DurationRange slow_for{10 * us_per_ms, 3 * us_per_s};
  Ppm hang = 0;                           ///< per command: somebody's script runs on for `hang_for`
  DurationRange hang_for{us_per_s, 20 * us_per_s};
  Ppm stale = 0;                          ///< per read of a row: a replica answers, which is `lag` behind
  DurationRange lag{10 * us_per_ms, 2 * us_per_s};
  Aim aim{};
};
struct HandlerFaults {
  Ppm fail = 0;                           ///< per job: its handler raises
  DurationRange latency{0, 0};            ///< how long a handler takes before it applies
  Aim aim{};
};
struct LoaderFaults {
  Ppm fail = 0;                           ///< per load: the source of truth answers an error
  Ppm slow = 0;                           ///< per load: it takes `slow_by` longer
  DurationRange slow_by{us_per_s, 30 * us_per_s};
  Ppm stale = 0;                          ///< per load: a replica answers, which is `lag` behind
  DurationRange lag{100 * us_per_ms, 10 * us_per_s};
  Aim aim{};
};
struct DiskRules : DiskFaults {
  Aim aim{};
};

/// A group of faults, and more of its kind with aims of their own. Of those that are aimed at what happens, the first
/// strikes.
template <class Group>
struct Rules : Group {
  std::vector<Group> more{};
  /// This group alone.
  Rules& operator=(const Group& only) {
    static_cast<Group&>(*this) = only;
    more.clear();
    return *this;
  }
};

struct Faults {
  Rules<MessageFaults> messages{};
  Rules<ConnectionFaults> connections{};
  Rules<NodeFaults> nodes{};
  Rules<ClockFaults> clocks{};
  Rules<ValkeyFaults> valkey{};
  Rules<HandlerFaults> handlers{};
  Rules<LoaderFaults> loader{};
  Rules<DiskRules> disks{};
};

}  // namespace cohsim
