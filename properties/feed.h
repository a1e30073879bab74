// Hands out the seeds of all scenarios in chunks: one scenario after the other, or taking turns.
#pragma once

#include <optional>
#include <vector>

#include "properties/worker_pool.h"
#include "properties/seed_plan.h"

namespace cohsim {

class Feed {
 public:
  /// Scenario i takes plans[i]. Chunks of one scenario come in seed order.
  Feed(std::vector<SeedPlan> plans, bool take_turns);
  [[nodiscard]] std::optional<Chunk> next();
  /// How long a chunk of that scenario took: the next ones grow or shrink towards a fiftieth of a second. Results never
  /// depend on it.
  void took(std::uint64_t scenario, std::uint64_t runs, std::int64_t elapsed_ms);

 private:
  struct Queue {
    SeedPlan plan;
    std::uint64_t handed_out = 0;
    std::uint64_t chunk_size = 1;
  };
  std::vector<Queue> queues_;
  std::size_t at_ = 0;
  bool take_turns_;
};

}  // namespace cohsim
