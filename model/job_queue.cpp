#include "model/job_queue.h"

#include <algorithm>

#include "model/identity.h"

namespace cohsim {

void JobQueue::make_pending(const std::string& job, Row& row) {
  row.state = JobState::pending;
  row.deadline_ms = 0;
  auto& lane = lanes_[row.group];
  if (lane.empty()) ring_.push_back(row.group);
  lane.insert(job);
}

// Takes the job out of whatever holds it in its present state.
void JobQueue::leave(const std::string& job, Row& row) {
  if (row.state == JobState::active) leases_.erase({row.deadline_ms, job});
  if (row.state == JobState::scheduled) scheduled_.erase({row.deadline_ms, job});
  if (row.state == JobState::pending) {
    const auto lane = lanes_.find(row.group);
    lane->second.erase(job);
    if (lane->second.empty()) {
      lanes_.erase(lane);
      ring_.erase(std::find(ring_.begin(), ring_.end(), row.group));
    }
  }
}

void JobQueue::remember(std::string_view job) {
  if (log_ == nullptr) return;
  const Row* row = find(job);
  log_->push_back({std::string(job), row == nullptr ? std::nullopt : std::optional(*row), ring_, last_token_});
}

void JobQueue::put_row_back(const Past& past) {
  const auto ends = [](const Row& row) { return row.state == JobState::dead; };
  if (const auto found = rows_.find(past.job); found != rows_.end()) {
    leave(found->first, found->second);
    if (!ends(found->second)) --unfinished_;
    rows_.erase(found);
  }
  if (!past.row) return;
  Row& row = rows_.emplace(past.job, *past.row).first->second;
  if (!ends(row)) ++unfinished_;
  if (row.state == JobState::pending) make_pending(past.job, row);
  if (row.state == JobState::active) leases_.insert({row.deadline_ms, past.job});
  if (row.state == JobState::scheduled) scheduled_.insert({row.deadline_ms, past.job});
}

void JobQueue::put_back(const std::vector<Past>& changes) {
  for (auto past = changes.rbegin(); past != changes.rend(); ++past) put_row_back(*past);
  if (changes.empty()) return;
  ring_ = changes.front().ring;  // the same groups, in the order of that time
  last_token_ = changes.front().last_token;
}

Outcome JobQueue::enqueue(std::string_view job, std::string_view payload, std::string_view group) {
  if (!is_branded(job) || job.substr(0, namespace_size) != "JOB") return Outcome::failed;
  if (rows_.find(job) != rows_.end()) return Outcome::duplicate;
  remember(job);
  const auto row = rows_.emplace(std::string(job), Row{std::string(payload), std::string(group)}).first;
  ++unfinished_;
  make_pending(row->first, row->second);
  return Outcome::ok;
}

std::optional<JobQueue::Claim> JobQueue::claim(std::int64_t now_ms) {
  if (ring_.empty()) return std::nullopt;
  const std::string group = ring_.front();
  const std::string job = *lanes_.find(group)->second.begin();
  remember(job);
  Row& row = rows_.find(job)->second;
  leave(job, row);
  if (!ring_.empty() && ring_.front() == group) {  // more is pending there: it goes behind the others
    ring_.pop_front();
    ring_.push_back(group);
  }
  row.state = JobState::active;
  row.deadline_ms = now_ms + lease_ms;
  ++row.attempts;
  last_token_ = std::max(last_token_ + 1, now_ms * us_per_ms);
  row.token = tokens_ == JobToken::unique ? last_token_ : row.attempts;
  leases_.insert({row.deadline_ms, job});
  return Claim{job, row.payload, row.token, row.attempts, row.deadline_ms};
}

Outcome JobQueue::complete(std::string_view job, std::int64_t token) {
  const auto found = rows_.find(job);
  if (found == rows_.end() || found->second.token != token) return Outcome::stale;
  remember(job);
  if (found->second.state != JobState::dead) --unfinished_;
  leave(found->first, found->second);
  rows_.erase(found);
  return Outcome::ok;
}

Outcome JobQueue::retry(std::string_view job, std::int64_t token, std::int64_t now_ms) {
  const auto found = rows_.find(job);
  if (found == rows_.end() || found->second.token != token) return Outcome::stale;
  Row& row = found->second;
  if (row.state == JobState::dead) return Outcome::dead;
  remember(job);
  leave(found->first, row);
  if (row.attempts >= max_attempts) {
    row.state = JobState::dead;
    row.deadline_ms = 0;
    --unfinished_;
    return Outcome::dead;
  }
  row.state = JobState::scheduled;
  row.deadline_ms = now_ms + retry_delay_ms;
  scheduled_.insert({row.deadline_ms, found->first});
  return Outcome::ok;
}

std::vector<std::string> JobQueue::reap(std::int64_t now_ms) {
  std::vector<std::string> reaped;
  while (!leases_.empty() && leases_.begin()->first < now_ms) {
    const std::string job = leases_.begin()->second;
    remember(job);
    leases_.erase(leases_.begin());
    make_pending(job, rows_.find(job)->second);
    reaped.push_back(job);
  }
  return reaped;
}

std::vector<std::string> JobQueue::promote(std::int64_t now_ms) {
  std::vector<std::string> promoted;
  while (!scheduled_.empty() && scheduled_.begin()->first <= now_ms) {
    const std::string job = scheduled_.begin()->second;
    remember(job);
    scheduled_.erase(scheduled_.begin());
    make_pending(job, rows_.find(job)->second);
    promoted.push_back(job);
  }
  return promoted;
}

const JobQueue::Row* JobQueue::find(std::string_view job) const {
  const auto found = rows_.find(job);
  return found == rows_.end() ? nullptr : &found->second;
}

}  // namespace cohsim
