// Operations that a scenario's steps can stop and resume, and the points where any fiber lets others run.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "model/notes.h"
#include "model/steps_api.h"
#include "sim/scheduler.h"

namespace cohsim {

/// The registry of a run's stoppable operations. A fiber carries its operation's number (0: none); fibers that it spawns
/// for the same operation carry it too.
class Operations {
 public:
  Operations(Scheduler& scheduler, Notes& notes) : scheduler_(scheduler), notes_(notes) {}

  std::uint64_t begin(Actor node, std::optional<Point> stop);
  [[nodiscard]] OperationState state(std::uint64_t operation) const;
  void end(std::uint64_t operation, std::string_view outcome, std::optional<std::string> value = {},
           std::optional<std::string> version = {});
  /// The operation may go on, until `stop` if given. False if it does not wait at a point.
  bool resume(std::uint64_t operation, std::optional<Point> stop);
  /// Begins the next part of a write under the same number.
  void reopen(std::uint64_t operation, std::optional<Point> stop);
  /// Every operation of a node that crashed ends as such.
  void crash(Actor node);
  /// Lets everything go on that is stopped, and forgets every wish to stop.
  void resume_all();
  /// The next fiber of `node` that reaches `point` stops there, whatever its operation; answers a number for `resume`.
  /// Resumed with another point, that same fiber stops there; resumed without one, the operation has ended.
  std::uint64_t stop_next(Actor node, Point point);
  [[nodiscard]] bool any_stopped() const;
  /// Operations known, ended ones too: a scenario's steps may ask for them at any time. A workload begins none.
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  /// The point that a fiber of the node came to last; empty: none since it was forgotten.
  [[nodiscard]] std::string_view last_point(Actor node) const;
  void forget_last_point(Actor node) { last_points_[node].reset(); }

  /// `co_await operations.at(node, point)`: lets others run; waits here if the operation is to be stopped at `point`.
  Task<void> at(Actor node, Point point);

 private:
  struct Entry {
    Actor node = 0;
    std::optional<Point> stop;
    bool any_fiber = false;  // of stop_next: not an operation of its own
    FiberId fiber;           // of stop_next: the one that stopped, to which it belongs from then on
    bool ended = false;
    bool stopped = false;
    Waker waker;
    OperationState state;
  };
  Entry* to_stop(Actor node, Point point);

  Scheduler& scheduler_;
  Notes& notes_;
  std::map<std::uint64_t, Entry> entries_;
  std::array<std::optional<Point>, max_actors> last_points_{};
  std::size_t wishes_ = 0;  // entries that want to stop: most runs have none, and need no look-up
  std::uint64_t next_ = 1;
};

}  // namespace cohsim
