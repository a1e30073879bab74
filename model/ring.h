// The broadcast lane's ring: bounded, one producer, one applier. A full ring refuses, never blocks, never overwrites.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>

#include "model/message.h"

namespace cohsim {

class Ring {
 public:
  explicit Ring(std::size_t capacity, bool overwrites = false) : capacity_(capacity), overwrites_(overwrites) {}

  /// False when full.
  bool offer(CoherenceMessage message) {
    if (waiting_.size() >= capacity_ && !overwrites_) return false;
    if (waiting_.size() >= capacity_) waiting_.pop_front();  // defect: the oldest makes room
    waiting_.push_back(std::move(message));
    return true;
  }
  /// Everything between head and tail, in arrival order.
  [[nodiscard]] std::deque<CoherenceMessage> drain() { return std::exchange(waiting_, {}); }
  [[nodiscard]] bool empty() const { return waiting_.empty(); }
  [[nodiscard]] std::size_t size() const { return waiting_.size(); }

 private:
  std::size_t capacity_;
  bool overwrites_;
  std::deque<CoherenceMessage> waiting_;
};

}  // namespace cohsim
