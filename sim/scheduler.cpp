#include "sim/scheduler.h"

namespace cohsim {

Scheduler::~Scheduler() {
  dying_ = true;
  choices_.refuse(true);
  for (Fiber& fiber : fibers_) fiber.body = Task<void>();
  choices_.refuse(false);
}

FiberId Scheduler::spawn(Actor owner, Task<void> body, std::uint64_t operation, Duty duty) {
  if (dying_) return {};
  std::uint32_t index;
  if (free_.empty()) {
    index = static_cast<std::uint32_t>(fibers_.size());
    fibers_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  Fiber& fiber = fibers_[index];
  fiber.body = std::move(body);
  fiber.resume_at = fiber.body.handle();
  fiber.operation = operation;
  fiber.duty = duty;
  fiber.owner = owner;
  fiber.live = true;
  fiber.woken = false;
  ++fiber.generation;
  ++fiber.ticket;
  const FiberId id{index, fiber.generation};
  wake({id, fiber.ticket});
  return id;
}

bool Scheduler::alive(FiberId fiber) const {
  return fiber.generation != 0 && fiber.index < fibers_.size() && fibers_[fiber.index].live &&
         fibers_[fiber.index].generation == fiber.generation;
}

void Scheduler::destroy(std::uint32_t index) {
  // The frame's guards run now; the door, the trace and the locks see `dying` and refuse them.
  Task<void> body = std::move(fibers_[index].body);
  fibers_[index].live = false;
  fibers_[index].resume_at = {};
  dying_ = true;
  choices_.refuse(true);
  body = Task<void>();
  choices_.refuse(false);
  dying_ = false;
  free_.push_back(index);
}

void Scheduler::kill_all_of(Actor owner) {
  for (std::uint32_t index = 0; index < fibers_.size(); ++index) {
    if (fibers_[index].live && fibers_[index].owner == owner) kill({index, fibers_[index].generation});
  }
}

void Scheduler::kill(FiberId fiber) {
  if (!alive(fiber)) return;
  if (fiber == current_) throw InternalError("a fiber tried to destroy itself");
  destroy(fiber.index);
}

std::uint64_t Scheduler::operation() const {
  return current_.generation == 0 ? 0 : fibers_[current_.index].operation;
}

void Scheduler::enqueue(const Event& event) {
  foreground_pending_ += event.foreground;
  if (event.when == now_) {
    due_.push_back(event);
  } else {
    later_.push(event);
  }
}

void Scheduler::at(TimeUs when, Handler& handler, std::uint64_t argument) {
  if (!dying_) enqueue({std::max(when, now_), sequence_++, &handler, argument, {}, true});
}

Waker Scheduler::waker() const {
  if (current_.generation == 0) throw InternalError("a waker was asked for outside of a fiber");
  return {current_, fibers_[current_.index].ticket};
}

void Scheduler::wake_at(TimeUs when, Waker waker) {
  if (dying_ || !alive(waker.fiber)) return;
  Fiber& fiber = fibers_[waker.fiber.index];
  if (fiber.ticket != waker.ticket || fiber.woken) return;
  const Event event{std::max(when, now_), sequence_++, nullptr, 0, waker,
                    when > now_ ? fiber.duty == Duty::foreground : true};
  fiber.woken = event.when == now_;
  enqueue(event);
}

void Scheduler::parked(std::coroutine_handle<> here) { fibers_[current_.index].resume_at = here; }

bool Scheduler::stale(const Event& event) const {
  return event.handler == nullptr &&
         (!alive(event.waker.fiber) || fibers_[event.waker.fiber.index].ticket != event.waker.ticket);
}

void Scheduler::gather_due() {
  while (!later_.empty() && later_.top().when <= now_) {
    const Event event = later_.top();
    later_.pop();
    if (stale(event) || (event.handler == nullptr && fibers_[event.waker.fiber.index].woken)) {
      forget(event);
      continue;
    }
    if (event.handler == nullptr) fibers_[event.waker.fiber.index].woken = true;
    due_.push_back(event);
  }
}

void Scheduler::run_fiber(FiberId id) {
  Fiber& fiber = fibers_[id.index];
  if (countdown_[fiber.owner] != 0 && --countdown_[fiber.owner] == 0) {
    interruption_(fiber.owner);
    return;
  }
  ++fiber.ticket;
  fiber.woken = false;
  const std::coroutine_handle<> here = std::exchange(fiber.resume_at, {});
  current_ = id;
  detail::run_until_parked(here);
  current_ = {};
  // `fibers_` may have grown while the fiber ran: look it up again.
  if (!fibers_[id.index].body.done()) return;
  const std::exception_ptr error = fibers_[id.index].body.error();
  destroy(id.index);
  if (error) std::rethrow_exception(error);
}

bool Scheduler::step(TimeUs until) {
  for (;;) {
    if (due_.empty()) {
      while (!later_.empty() && stale(later_.top())) {
        forget(later_.top());
        later_.pop();
      }
      if (later_.empty() || later_.top().when > until) return false;
      now_ = later_.top().when;
      gather_due();
      continue;
    }
    const auto pick = choices_.choose(Site::tie, actor_world, due_.size());
    const Event event = due_[pick];
    due_.erase(due_.begin() + static_cast<std::ptrdiff_t>(pick));
    forget(event);
    if (stale(event)) continue;
    ++steps_;
    schedule_hash_ = mix64(schedule_hash_ ^ (static_cast<std::uint64_t>(now_) * golden_gamma + pick));
    if (event.handler != nullptr) {
      event.handler->run(event.argument);
    } else {
      run_fiber(event.waker.fiber);
    }
    return true;
  }
}

TimeUs Scheduler::next_due() const {
  if (!due_.empty()) return now_;
  return later_.empty() ? -1 : later_.top().when;
}

void Scheduler::advance_to(TimeUs when) {
  if (!due_.empty() || (!later_.empty() && later_.top().when < when)) {
    throw InternalError("time was moved over an event that is due");
  }
  now_ = std::max(now_, when);
}

}  // namespace cohsim
