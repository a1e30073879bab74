// What the parts of one node share: who they are, their clocks, and the kernel they run on.
#pragma once

#include <cstdint>
#include <string>

#include "model/defects.h"
#include "model/identity.h"
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
  bool faults_on = true;
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
  std::uint32_t sync_to_fail = 0; ///< the n-th sync of its disk from now fails, as a step asked for; 0: none
  DurationUs wall_offset_us = 0;  ///< offset and steps of the wall clock; survives restarts
  std::uint32_t life = 0;         ///< starts so far: stands for the nonce that a process draws when it starts

  /// The node's wall clock, Unix milliseconds: for mints.
  [[nodiscard]] std::int64_t wall_ms() const {
    return scenario.design.start_unix_ms + (scheduler.now() + wall_offset_us) / us_per_ms;
  }
  /// The node's monotonic clock: for expiry in L1, beats and time-outs.
  [[nodiscard]] TimeUs monotonic_us() const { return scheduler.now(); }

  [[nodiscard]] DiskFaults disk_faults() const { return run.faults_on ? scenario.faults.disks : DiskFaults{}; }

  template <class Event>
  void note(const Event& event) {
    notes(actor, event);
  }
};

}  // namespace cohsim
