#include "sim/lock.h"

namespace cohsim {

Task<OwnerLock::Held> OwnerLock::acquire() {
  const std::uint64_t life = life_;
  if (busy_) {
    waiting_.push_back(scheduler_.waker());
    co_await scheduler_.park();
    if (life != life_) co_return Held();  // whoever took over is of another life
  }
  busy_ = true;
  holder_ = scheduler_.current();
  co_return Held(this, life);
}

void OwnerLock::pass_on() {
  // The lock stays busy while it changes hands, so that nobody who arrives in between overtakes.
  while (!waiting_.empty()) {
    const Waker next = waiting_.front();
    waiting_.pop_front();
    if (!scheduler_.alive(next.fiber)) continue;
    holder_ = next.fiber;
    scheduler_.wake(next);
    return;
  }
  busy_ = false;
  holder_ = {};
}

void OwnerLock::fiber_killed(FiberId fiber) {
  if (busy_ && fiber == holder_) pass_on();
}

void OwnerLock::fail_all() {
  ++life_;
  busy_ = false;
  holder_ = {};
  for (const Waker& waker : waiting_) scheduler_.wake(waker);
  waiting_.clear();
}

}  // namespace cohsim
