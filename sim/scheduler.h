// Runs fibers and handlers in virtual time: events by time, ties by choice.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/choices.h"
#include "sim/task.h"
#include "sim/time.h"

namespace cohsim {

/// The simulator itself is at fault (exit code 3), never the system under test.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Names a fiber for ever: a dead fiber's id never comes back to life.
struct FiberId {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;  ///< 0: no fiber
  friend bool operator==(const FiberId&, const FiberId&) = default;
};

/// The right to wake one park of one fiber. Using it late, twice, or after the fiber died does nothing.
struct Waker {
  FiberId fiber;
  std::uint32_t ticket = 0;
};

/// Something that runs at a time without being a fiber: an arrival at the server, a reply, a timer.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual void run(std::uint64_t argument) = 0;
};

/// Hears of fibers that were destroyed before their end, whose guards could not put anything right.
class DeathWatch {
 public:
  virtual ~DeathWatch() = default;
  /// Called once no frame is being destroyed any more; may wake fibers, but kill none.
  virtual void fiber_killed(FiberId fiber) = 0;
};

/// One scheduler a run. All of it belongs to one thread.
class Scheduler {
 public:
  explicit Scheduler(Choices& choices) : choices_(choices) {}
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  [[nodiscard]] TimeUs now() const { return now_; }
  /// Events that ran so far: the step number of the trace.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  /// Whether a fiber's timers keep the run from being quiescent: loops on a beat do not.
  enum class Duty : std::uint8_t { foreground, background };
  /// Starts a fiber at the present time; it first runs in a step of its own. `operation` is whatever the caller wants to
  /// find again in `operation()`.
  FiberId spawn(Actor owner, Task<void> body, std::uint64_t operation = 0, Duty duty = Duty::foreground);
  [[nodiscard]] bool alive(FiberId fiber) const;
  /// Destroys every fiber of `owner`, frames and all. Must not be called from a fiber of that owner (InternalError): use
  /// it from a handler, from another owner's fiber, or from outside.
  void kill_all_of(Actor owner);
  /// Destroys one fiber; no fiber may destroy itself.
  void kill(FiberId fiber);
  /// The watch must outlive its entry.
  void watch_deaths(DeathWatch& watch) { watches_.push_back(&watch); }
  void unwatch_deaths(DeathWatch& watch) { std::erase(watches_, &watch); }
  /// True while frames are being destroyed: guards that run then must touch nothing but their own memory.
  [[nodiscard]] bool dying() const { return dying_; }

  /// The fiber that runs now; generation 0 outside of fibers.
  [[nodiscard]] FiberId current() const { return current_; }
  [[nodiscard]] std::uint64_t operation() const;

  /// Runs `handler.run(argument)` at `when` (not before now). The handler must outlive the event.
  void at(TimeUs when, Handler& handler, std::uint64_t argument);

  /// A waker for the next park of the current fiber.
  [[nodiscard]] Waker waker() const;
  void wake(Waker waker) { wake_at(now_, waker); }
  void wake_at(TimeUs when, Waker waker);

  /// `co_await park()`: the fiber stops here until its waker is used.
  struct Park {
    Scheduler& scheduler;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> here) const { scheduler.parked(here); }
    void await_resume() const noexcept {}
  };
  Park park() { return Park{*this}; }

  /// `co_await sleep(d)`: the fiber goes on d later; with 0 it goes behind what is due now, or before: a tie.
  struct Sleep {
    Scheduler& scheduler;
    DurationUs duration_us;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> here) const {
      scheduler.wake_at(scheduler.now() + duration_us, scheduler.waker());
      scheduler.parked(here);
    }
    void await_resume() const noexcept {}
  };
  Sleep sleep(DurationUs duration_us) { return Sleep{*this, duration_us}; }

  /// Runs one event. False when none is due at or before `until`. Rethrows what a fiber threw.
  bool step(TimeUs until);
  /// The time of the next event, or a negative number when there is none.
  [[nodiscard]] TimeUs next_due();
  /// Moves time on to `when` without running anything; nothing may be due before it.
  void advance_to(TimeUs when);

  /// Asked before a fiber of an owner with an armed countdown runs; see `arm`.
  using Interruption = std::function<void(Actor)>;
  void on_countdown(Interruption interruption) { interruption_ = std::move(interruption); }
  /// The `awaits`-th time from now that a fiber of `owner` would run, the interruption runs instead of it; if it leaves
  /// the fiber alive, the fiber is due again.
  void arm(Actor owner, std::uint64_t awaits) { countdown_[owner] = awaits; }
  void disarm(Actor owner) { countdown_[owner] = 0; }

  /// The fibers of `owner` stand still until `until`, those that are due now too; a later end holds. Handlers run on.
  void pause(Actor owner, TimeUs until);
  /// Whoever runs as `owner` from now on is not held: its process is another.
  void end_pause(Actor owner) { paused_until_[owner] = 0; }
  /// Until when the owner's fibers stand still; not after now: they do not.
  [[nodiscard]] TimeUs paused_until(Actor owner) const { return paused_until_[owner]; }

  /// Events not yet run, those of background fibers' timers left out. 0: whatever still moves only keeps a beat.
  [[nodiscard]] std::uint64_t foreground_pending() const { return foreground_pending_; }
  /// The most fibers that were ever alive at once: slots are used again.
  [[nodiscard]] std::size_t fibers() const { return fibers_.size(); }
  /// A digest of every event that ran: when, and which of those due then.
  [[nodiscard]] std::uint64_t schedule_hash() const { return schedule_hash_; }

 private:
  struct Event {
    TimeUs when;
    std::uint64_t sequence;
    Handler* handler;  // null: wake a fiber
    std::uint64_t argument;
    Waker waker;
    bool foreground;
    bool operator<(const Event& other) const {
      return when != other.when ? when > other.when : sequence > other.sequence;
    }
  };
  struct Fiber {
    Task<void> body;
    std::coroutine_handle<> resume_at;
    std::uint64_t operation = 0;
    std::uint32_t generation = 0;
    std::uint32_t ticket = 0;
    Actor owner = 0;
    bool live = false;
    bool woken = false;
    Duty duty = Duty::foreground;
  };

  void parked(std::coroutine_handle<> here);
  [[nodiscard]] bool stale(const Event& event) const;
  [[nodiscard]] bool held(const Event& event) const;
  void put_off(Event event);
  void drop_stale();
  void enqueue(const Event& event);
  void forget(const Event& event) { foreground_pending_ -= event.foreground; }
  void gather_due();
  void run_fiber(FiberId id);
  void end(std::uint32_t index);
  void destroy(std::uint32_t index);
  void mourn();

  Choices& choices_;
  std::priority_queue<Event> later_;
  std::vector<Event> due_;  // all at now_, in sequence order
  std::vector<Fiber> fibers_;
  std::vector<std::uint32_t> free_;
  std::vector<FiberId> killed_;  // and not yet told to the watches
  std::vector<DeathWatch*> watches_;
  std::array<std::uint64_t, max_actors> countdown_{};
  std::array<TimeUs, max_actors> paused_until_{};
  Interruption interruption_;
  TimeUs now_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint64_t schedule_hash_ = 0;
  std::uint64_t foreground_pending_ = 0;
  FiberId current_;
  bool dying_ = false;
};

}  // namespace cohsim
