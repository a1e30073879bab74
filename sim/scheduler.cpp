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

void Scheduler::end(std::uint32_t index) {
  Fiber& fiber = fibers_[index];
  fiber.live = false;
  fiber.resume_at = {};
  // A dead fiber's wake-up must not stand among the answers when a tie is drawn.
  if (std::exchange(fiber.woken, false)) {
    std::erase_if(due_, [this](const Event& event) {
      const bool gone = stale(event);
      if (gone) forget(event);
      return gone;
    });
  }
  Task<void> body = std::move(fiber.body);
  body = Task<void>();
  free_.push_back(index);
}

void Scheduler::destroy(std::uint32_t index) {
  // The frame's guards run now; the door, the trace and the locks see `dying` and refuse them.
  const bool nested = std::exchange(dying_, true);
  choices_.refuse(true);
  killed_.push_back({index, fibers_[index].generation});
  end(index);
  choices_.refuse(nested);
  dying_ = nested;
}

void Scheduler::mourn() {
  if (dying_) return;
  const std::vector<FiberId> killed = std::exchange(killed_, {});
  for (const FiberId fiber : killed) {
    for (DeathWatch* watch : watches_) watch->fiber_killed(fiber);
  }
}

void Scheduler::kill_all_of(Actor owner) {
  if (current_.generation != 0 && fibers_[current_.index].owner == owner) {
    throw InternalError("a fiber tried to destroy every fiber of its owner");
  }
  for (std::uint32_t index = 0; index < fibers_.size(); ++index) {
    if (fibers_[index].live && fibers_[index].owner == owner) destroy(index);
  }
  mourn();
}

void Scheduler::kill(FiberId fiber) {
  if (!alive(fiber)) return;
  if (fiber == current_) throw InternalError("a fiber tried to destroy itself");
  destroy(fiber.index);
  mourn();
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
  const TimeUs due = std::max({when, now_, paused_until_[fiber.owner]});
  const Event event{due, sequence_++, nullptr, 0, waker, due > now_ ? fiber.duty == Duty::foreground : true};
  fiber.woken = event.when == now_;
  enqueue(event);
}

void Scheduler::parked(std::coroutine_handle<> here) { fibers_[current_.index].resume_at = here; }

bool Scheduler::stale(const Event& event) const {
  return event.handler == nullptr &&
         (!alive(event.waker.fiber) || fibers_[event.waker.fiber.index].ticket != event.waker.ticket);
}

bool Scheduler::held(const Event& event) const {
  return event.handler == nullptr && paused_until_[fibers_[event.waker.fiber.index].owner] > now_;
}

// A fiber of a paused owner is due when the pause ends.
void Scheduler::put_off(Event event) {
  Fiber& fiber = fibers_[event.waker.fiber.index];
  forget(event);
  fiber.woken = false;
  event.when = paused_until_[fiber.owner];
  event.foreground = fiber.duty == Duty::foreground;
  enqueue(event);
}

void Scheduler::pause(Actor owner, TimeUs until) {
  paused_until_[owner] = std::max({paused_until_[owner], until, now_});
  const std::vector<Event> due = std::exchange(due_, {});
  for (const Event& event : due) {
    if (!stale(event) && held(event)) {
      put_off(event);
    } else {
      due_.push_back(event);
    }
  }
}

void Scheduler::drop_stale() {
  while (!later_.empty() && stale(later_.top())) {
    forget(later_.top());
    later_.pop();
  }
}

void Scheduler::gather_due() {
  while (!later_.empty() && later_.top().when <= now_) {
    const Event event = later_.top();
    later_.pop();
    if (stale(event) || (event.handler == nullptr && fibers_[event.waker.fiber.index].woken)) {
      forget(event);
      continue;
    }
    if (held(event)) {
      put_off(event);
      continue;
    }
    if (event.handler == nullptr) fibers_[event.waker.fiber.index].woken = true;
    due_.push_back(event);
  }
}

void Scheduler::run_fiber(FiberId id) {
  Fiber& fiber = fibers_[id.index];
  if (countdown_[fiber.owner] != 0 && --countdown_[fiber.owner] == 0) {
    const Waker waker{id, fiber.ticket};
    interruption_(fiber.owner);
    if (alive(id)) enqueue({now_, sequence_++, nullptr, 0, waker, true});
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
  // What still lives in the frame are its parameters: their guards belong to an orderly end, and nothing is refused.
  end(id.index);
  if (error) std::rethrow_exception(error);
}

bool Scheduler::step(TimeUs until) {
  for (;;) {
    if (due_.empty()) {
      drop_stale();
      if (later_.empty() || later_.top().when > until) return false;
      now_ = later_.top().when;
      gather_due();
      continue;
    }
    const auto pick = choices_.choose(Site::tie, actor_world, due_.size());
    const Event event = due_[pick];
    due_.erase(due_.begin() + static_cast<std::ptrdiff_t>(pick));
    forget(event);
    ++steps_;
    // With the gamma added, a calm step at time 0 counts too: mix64(0) is 0.
    schedule_hash_ = mix64((schedule_hash_ ^ (static_cast<std::uint64_t>(now_) * golden_gamma + pick)) + golden_gamma);
    if (event.handler != nullptr) {
      event.handler->run(event.argument);
    } else {
      run_fiber(event.waker.fiber);
    }
    return true;
  }
}

TimeUs Scheduler::next_due() {
  if (!due_.empty()) return now_;
  drop_stale();
  return later_.empty() ? -1 : later_.top().when;
}

void Scheduler::advance_to(TimeUs when) {
  drop_stale();
  if (!due_.empty() || (!later_.empty() && later_.top().when < when)) {
    throw InternalError("time was moved over an event that is due");
  }
  now_ = std::max(now_, when);
  gather_due();  // what is due at `when` stands before whatever is added then
}

}  // namespace cohsim
