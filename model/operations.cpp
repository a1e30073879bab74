#include "model/operations.h"

namespace cohsim {

std::uint64_t Operations::begin(Actor node, std::optional<Point> stop) {
  const std::uint64_t operation = next_++;
  Entry& entry = entries_[operation];
  entry.node = node;
  entry.stop = stop;
  entry.state.operation = operation;
  wishes_ += stop.has_value();
  return operation;
}

OperationState Operations::state(std::uint64_t operation) const {
  const auto found = entries_.find(operation);
  if (found == entries_.end()) throw StepError("there is no such operation");
  OperationState state = found->second.state;
  state.ended = found->second.ended;
  return state;
}

void Operations::end(std::uint64_t operation, std::string_view outcome, std::optional<std::string> value,
                     std::optional<std::string> version) {
  const auto found = entries_.find(operation);
  if (found == entries_.end() || found->second.ended) return;
  Entry& entry = found->second;
  wishes_ -= entry.stop.has_value();
  entry.stop.reset();
  entry.ended = true;
  entry.stopped = false;  // where its flight was stopped when the table's owner died
  entry.state.stopped_before.clear();
  entry.state.outcome = outcome;
  if (value) entry.state.value = std::move(value);
  if (version) entry.state.version = std::move(version);
}

bool Operations::resume(std::uint64_t operation, std::optional<Point> stop) {
  const auto found = entries_.find(operation);
  if (found == entries_.end() || !found->second.stopped) return false;
  Entry& entry = found->second;
  notes_(entry.node, event::OperationResumed{entry.node, operation, entry.state.stopped_before});
  entry.stopped = false;
  entry.state.stopped_before.clear();
  entry.stop = stop;
  wishes_ += stop.has_value();
  if (entry.any_fiber && !stop) entry.ended = true;
  scheduler_.wake(entry.waker);
  return true;
}

void Operations::reopen(std::uint64_t operation, std::optional<Point> stop) {
  Entry& entry = entries_.at(operation);
  entry.ended = false;
  entry.state.outcome.clear();
  entry.stop = stop;
  wishes_ += stop.has_value();
}

void Operations::crash(Actor node) {
  for (auto& [operation, entry] : entries_) {
    if (entry.node != node || entry.ended) continue;
    end(operation, "crashed");
  }
}

void Operations::resume_all() {
  for (auto& [operation, entry] : entries_) {
    wishes_ -= entry.stop.has_value();
    entry.stop.reset();
    if (entry.stopped) resume(operation, std::nullopt);
  }
}

std::uint64_t Operations::stop_next(Actor node, Point point) {
  const std::uint64_t operation = begin(node, point);
  entries_[operation].any_fiber = true;
  return operation;
}

bool Operations::any_stopped() const {
  for (const auto& [operation, entry] : entries_) {
    if (entry.stopped) return true;
  }
  return false;
}

Operations::Entry* Operations::to_stop(Actor node, Point point) {
  if (wishes_ == 0) return nullptr;
  const auto own = entries_.find(scheduler_.operation());
  if (own != entries_.end() && own->second.stop == point) return &own->second;
  for (auto& [operation, entry] : entries_) {
    if (!entry.any_fiber || entry.node != node || entry.stop != point) continue;
    if (entry.fiber.generation == 0 || entry.fiber == scheduler_.current()) return &entry;
  }
  return nullptr;
}

std::string_view Operations::last_point(Actor node) const {
  return last_points_[node] ? name_of(*last_points_[node]) : std::string_view();
}

Task<void> Operations::at(Actor node, Point point) {
  last_points_[node] = point;
  if (Entry* entry = to_stop(node, point)) {
    entry->stop.reset();
    --wishes_;
    entry->stopped = true;
    entry->state.stopped_before = name_of(point);
    entry->waker = scheduler_.waker();
    entry->fiber = scheduler_.current();
    notes_(node, event::OperationStopped{node, entry->state.operation, name_of(point)});
    co_await scheduler_.park();
    co_return;
  }
  co_await scheduler_.sleep(0);
}

}  // namespace cohsim
