// A lock for fibers of one node, served in arrival order: the mailbox of an owner that does one thing at a time.
#pragma once

#include <deque>

#include "sim/scheduler.h"

namespace cohsim {

/// Lives in the memory of the node whose fibers use it. After `fail_all` everyone who waited is refused, and the lock is
/// free again: the owner died and was started anew.
class OwnerLock {
 public:
  explicit OwnerLock(Scheduler& scheduler) : scheduler_(scheduler) {}

  /// Holds the lock while it lives. Empty if the owner died while the fiber waited, or since.
  class Held {
   public:
    Held() = default;
    Held(OwnerLock* lock, std::uint64_t life) : lock_(lock), life_(life) {}
    Held(Held&& other) noexcept : lock_(std::exchange(other.lock_, nullptr)), life_(other.life_) {}
    Held& operator=(Held&& other) noexcept {
      release();
      lock_ = std::exchange(other.lock_, nullptr);
      life_ = other.life_;
      return *this;
    }
    ~Held() { release(); }
    /// False once the owner died.
    explicit operator bool() const { return lock_ != nullptr && lock_->life_ == life_; }
    void release() {
      OwnerLock* lock = std::exchange(lock_, nullptr);
      // While frames die the lock itself may be gone or about to go: it belongs to the same node.
      if (lock != nullptr && !lock->scheduler_.dying() && lock->life_ == life_) lock->pass_on();
    }

   private:
    OwnerLock* lock_ = nullptr;
    std::uint64_t life_ = 0;
  };

  Task<Held> acquire();
  /// The owner dies: whoever holds or waits is refused from now on.
  void fail_all();
  [[nodiscard]] bool busy() const { return busy_; }

 private:
  void pass_on();

  Scheduler& scheduler_;
  std::deque<Waker> waiting_;
  std::uint64_t life_ = 0;
  bool busy_ = false;
};

}  // namespace cohsim
