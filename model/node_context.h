// What the parts of one node share: who they are, their clocks, and the kernel they run on.
#pragma once

#include <cstdint>
#include <string>

#include "model/defects.h"
#include "model/fault_plan.h"
#include "model/identity.h"
#include "model/node_clock.h"
#include "model/notes.h"
#include "model/operations.h"
#include "model/scenario.h"
#include "sim/choices.h"
#include "sim/network.h"
#include "sim/scheduler.h"

namespace cohsim {

/// Switches of the whole run that the model asks for as it goes.
struct RunState {
  bool expiry_suspended = false;  ///< during settle: L1 rows live on
  DurationUs source_lag_us = 0;   ///< every load sees the source of truth as it was so long ago, as a step asked for
  Defect defect = Defect::none;   ///< planted, to prove that the oracles see it
};

/// Lives as long as the node's slot in the world: across its crashes.
struct NodeContext {
  Actor actor = 0;
  std::uint16_t number = 0;       ///< of the snowflakes it mints
  const Scenario& scenario;
  Scheduler& scheduler;
  Choices& choices;
  Network& network;
  Operations& operations;
  Notes& notes;
  RunState& run;
  const FaultPlan& faults;
  std::uint32_t sync_to_fail = 0; ///< the n-th sync of its disk from now fails, as a step asked for; 0: none
  bool fail_load = false;         ///< the next load of the node fails, as a step asked for
  std::uint32_t handlers_to_fail = 0;  ///< of the next jobs' handlers, as a step asked for
  NodeClock clock{};              ///< survives restarts
  std::uint32_t life = 0;         ///< starts so far: stands for the nonce that a process draws when it starts

  /// The node's wall clock, Unix milliseconds: for mints.
  [[nodiscard]] std::int64_t wall_ms() const {
    return scenario.design.start_unix_ms + clock.wall_us(scheduler.now()) / us_per_ms;
  }
  /// The node's monotonic clock: for expiry in L1, beats and time-outs.
  [[nodiscard]] TimeUs monotonic_us() const { return clock.monotonic_us(scheduler.now()); }
  /// Ends once the monotonic clock has gone on by `span_us`: pauses and drift stretch it.
  Task<void> rest(DurationUs span_us) {
    const TimeUs over = monotonic_us() + span_us;
    do {
      co_await scheduler.sleep(clock.until_gone(scheduler.now(), over - monotonic_us()));
    } while (monotonic_us() < over);
  }

  [[nodiscard]] DiskFaults disk_faults() const { return faults.disks(scheduler.now(), actor); }

  template <class Event>
  void note(const Event& event) {
    notes(actor, event);
  }
};

}  // namespace cohsim
