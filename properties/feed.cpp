#include "properties/feed.h"

#include <algorithm>

namespace cohsim {
namespace {
constexpr std::uint64_t largest_chunk = 64;
constexpr std::int64_t wanted_ms = 20;
}  // namespace

Feed::Feed(std::vector<SeedPlan> plans, bool take_turns) : take_turns_(take_turns) {
  for (const auto& plan : plans) queues_.push_back({plan});
}

std::optional<Chunk> Feed::next() {
  for (std::size_t looked = 0; looked < queues_.size(); ++looked) {
    Queue& queue = queues_[at_];
    const std::uint64_t scenario = at_;
    const std::uint64_t left = queue.plan.count - queue.handed_out;
    const std::uint64_t size = std::min(left, queue.chunk_size);
    if (take_turns_ || size == left) at_ = (at_ + 1) % queues_.size();
    if (size == 0) continue;
    const Chunk chunk{scenario, queue.plan.seed(queue.handed_out), queue.plan.stride, size};
    queue.handed_out += size;
    return chunk;
  }
  return std::nullopt;
}

void Feed::took(std::uint64_t scenario, std::uint64_t runs, std::int64_t elapsed_ms) {
  auto& size = queues_[scenario].chunk_size;
  if (elapsed_ms < wanted_ms && runs >= size) {
    size = std::min(size * 2, largest_chunk);
  } else if (elapsed_ms > 4 * wanted_ms) {
    size = std::max<std::uint64_t>(size / 2, 1);
  }
}

}  // namespace cohsim
