#include "model/recent_writes.h"

#include <algorithm>

namespace cohsim {

void RecentWrites::row_changed(std::string_view key, const valkey::Row* before, std::string_view cause) {
  if (!keeps() || cause == "expired" || cause == "failover") return;
  open_.rows.emplace_back(key, before == nullptr ? std::nullopt : std::optional(*before));
}

void RecentWrites::end_write(const std::string& queue, std::vector<JobQueue::Past> changes, TimeUs now) {
  if (open_.rows.empty() && changes.empty()) return;
  open_.at = now;
  open_.queue = queue;
  open_.changes = std::move(changes);
  writes_.push_back(std::exchange(open_, {}));
  if (writes_.size() > kept_) writes_.pop_front();
}

RecentWrites::Lost RecentWrites::take_newest(std::size_t count) {
  Lost lost;
  lost.writes = std::min(count, writes_.size());
  const auto first = writes_.end() - static_cast<std::ptrdiff_t>(lost.writes);
  for (auto write = first; write != writes_.end(); ++write) {
    for (auto& [key, row] : write->rows) lost.rows.try_emplace(key, std::move(row));  // the oldest is what stood before
    std::vector<JobQueue::Past>& changes = lost.queues[write->queue];
    std::move(write->changes.begin(), write->changes.end(), std::back_inserter(changes));
  }
  std::erase_if(lost.queues, [](const auto& queue) { return queue.second.empty(); });
  writes_.erase(first, writes_.end());
  return lost;
}

std::optional<valkey::Row> RecentWrites::row_at(std::string_view key, const std::optional<valkey::Row>& row,
                                                TimeUs time) const {
  std::optional<valkey::Row> stood = row;
  for (auto write = writes_.rbegin(); write != writes_.rend() && write->at > time; ++write) {
    for (auto change = write->rows.rbegin(); change != write->rows.rend(); ++change) {
      if (change->first == key) stood = change->second;
    }
  }
  return stood;
}

void RecentWrites::clear() {
  open_ = {};
  writes_.clear();
}

}  // namespace cohsim
