// What disks do wrong, and what a power loss took.
#pragma once

#include <cstdint>

#include "sim/choices.h"

namespace cohsim {

/// The defaults do nothing wrong.
struct DiskFaults {
  Ppm sync_fail = 0;  ///< per sync: it fails, and what it should have made safe never will be by itself (fsyncgate)
  Ppm torn = 0;       ///< per power loss and file that loses writes: the first one lost leaves a part of itself
};

/// What a power loss took of one disk.
struct DiskLost {
  std::uint64_t bytes = 0;   ///< of writes that are gone, whole or in part
  std::uint64_t torn = 0;    ///< files of which a part of a write was left
  std::uint64_t doomed = 0;  ///< files that lost what a failed sync had dropped
};

}  // namespace cohsim
