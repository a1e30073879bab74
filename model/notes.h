// Where events go: into the trace and its hash, and to everyone who watches.
#pragma once

#include <vector>

#include "model/events.h"
#include "sim/trace.h"

namespace cohsim {

class Notes {
 public:
  explicit Notes(Trace& trace) : trace_(trace) {}

  /// Watches from now on; must outlive the run.
  void watch(Observer& observer) { observers_.push_back(&observer); }

  template <class Event>
  void operator()(Actor actor, const Event& event) {
    const When when = trace_.when(actor);
    if (!trace_.note(when, event)) return;  // frames are dying: nothing happens any more
    for (Observer* observer : observers_) observer->on(when, event);
  }

  [[nodiscard]] Trace& trace() { return trace_; }

 private:
  Trace& trace_;
  std::vector<Observer*> observers_;
};

}  // namespace cohsim
