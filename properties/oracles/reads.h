// What a node must not read behind: for a moment of the past, the latest commit that it knew to be finished or read.
#pragma once

#include <algorithm>

#include "properties/oracles/writes.h"

namespace cohsim::oracles {

class Floors {
 public:
  /// From `at` on, nothing before commit `serial` may be read.
  void raise(TimeUs at, std::uint64_t serial) {
    if (!floors_.empty() && floors_.back().serial >= serial) return;
    if (floors_.size() == most) floors_.erase(floors_.begin());
    floors_.push_back({at, serial});
  }
  /// The floor strictly before `at`; 0: none known.
  [[nodiscard]] std::uint64_t before(TimeUs at) const {
    for (auto floor = floors_.rbegin(); floor != floors_.rend(); ++floor) {
      if (floor->at < at) return floor->serial;
    }
    return 0;
  }
  void clear() { floors_.clear(); }

 private:
  static constexpr std::size_t most = 16;  // older ones matter only to reads that began long ago
  struct Floor {
    TimeUs at;
    std::uint64_t serial;
  };
  std::vector<Floor> floors_;  // by time, serials rising
};

}  // namespace cohsim::oracles
