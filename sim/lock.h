// A lock for fibers of one node, served in arrival order: the mailbox of an owner that does one thing at a time.
#pragma once

#include <deque>

#include "sim/scheduler.h"

namespace cohsim {

/// Lives in the memory of the node whose fibers use it. After `fail_all` everyone who waited is refused, and the lock is
/// free again: the owner died and was started anew. A fiber that is killed while it holds the lock, or once the lock was
/// passed to it, gives it to the next.
class OwnerLock final : private DeathWatch {
 public:
  explicit OwnerLock(Scheduler& scheduler) : scheduler_(scheduler) { scheduler_.watch_deaths(*this); }
  ~OwnerLock() override { scheduler_.unwatch_deaths(*this); }
  OwnerLock(const OwnerLock&) = delete;
  OwnerLock& operator=(const OwnerLock&) = delete;

  /// Holds the lock while it lives, in the fiber that acquired it. Empty if the owner died while the fiber waited, or
  /// since. If the fiber is killed, the lock itself passes on.
  class Held {
   public:
    Held() = default;
    Held(OwnerLock* lock, std::uint64_t life) : scheduler_(&lock->scheduler_), lock_(lock), life_(life) {}
    Held(Held&& other) noexcept
        : scheduler_(other.scheduler_), lock_(std::exchange(other.lock_, nullptr)), life_(other.life_) {}
    Held& operator=(Held&& other) noexcept {
      release();
      scheduler_ = other.scheduler_;
      lock_ = std::exchange(other.lock_, nullptr);
      life_ = other.life_;
      return *this;
    }
    ~Held() { release(); }
    /// False once the owner died.
    explicit operator bool() const { return lock_ != nullptr && lock_->life_ == life_; }
    void release() {
      OwnerLock* lock = std::exchange(lock_, nullptr);
      // While frames die the lock itself may be gone, so it must not even be asked: it belongs to the same node.
      if (lock != nullptr && !scheduler_->dying() && lock->life_ == life_) lock->pass_on();
    }

   private:
    Scheduler* scheduler_ = nullptr;  // outlives both
    OwnerLock* lock_ = nullptr;
    std::uint64_t life_ = 0;
  };

  Task<Held> acquire();
  /// The owner dies: whoever holds or waits is refused from now on.
  void fail_all();
  [[nodiscard]] bool busy() const { return busy_; }

 private:
  void pass_on();
  void fiber_killed(FiberId fiber) override;

  Scheduler& scheduler_;
  std::deque<Waker> waiting_;
  std::uint64_t life_ = 0;
  FiberId holder_;  // who holds it, or was passed it and has not run since
  bool busy_ = false;
};

}  // namespace cohsim
