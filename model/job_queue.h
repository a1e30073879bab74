// One job queue as the server runs it (domain.md section 5): every call is one atomic step there.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/events.h"
#include "model/scenario.h"
#include "model/world_view.h"

namespace cohsim {

/// Times are the server's clock in Unix milliseconds. Knows nothing of connections; notes nothing.
class JobQueue {
 public:
  static constexpr std::int64_t lease_ms = 30'000;
  static constexpr std::int64_t retry_delay_ms = 1'000;
  static constexpr std::int64_t max_attempts = 3;

  struct Row {
    std::string payload;
    std::string group;
    JobState state = JobState::pending;
    std::int64_t attempts = 0;
    std::int64_t token = 0;        ///< of the last claim; 0: none yet
    std::int64_t deadline_ms = 0;  ///< end of the lease while active, due time while scheduled
  };
  struct Claim {
    std::string job;
    std::string payload;
    std::int64_t token = 0;     ///< what fences it
    std::int64_t attempts = 0;
    std::int64_t deadline_ms = 0;
  };

  /// What a call found and changed: one job's row (nullopt: there was none), and the ring and the last token of the queue.
  struct Past {
    std::string job;
    std::optional<Row> row;
    std::deque<std::string> ring;
    std::int64_t last_token = 0;
  };

  /// What a claim's token is: the row's attempts, which end with the row and begin anew with the next of the same id; or
  /// a number that no claim of this queue held before, kept beside the rows. After a restart that forgot everything it
  /// goes on from the server's clock, in microseconds: unique as long as that does not step back.
  explicit JobQueue(JobToken tokens = JobToken::attempts) : tokens_(tokens) {}

  /// duplicate if the row exists, in whatever state: nothing is written. failed if the job id is not of namespace JOB.
  Outcome enqueue(std::string_view job, std::string_view payload, std::string_view group);
  /// Rotates the ring by one group and takes its oldest job.
  std::optional<Claim> claim(std::int64_t now_ms);
  /// stale if the token is not that of the row's last claim, or there is no row; else the row is deleted.
  Outcome complete(std::string_view job, std::int64_t token);
  /// stale as above; dead if no attempt is left (the row stays); else ok: scheduled for later.
  Outcome retry(std::string_view job, std::int64_t token, std::int64_t now_ms);
  /// Expired leases go back to pending, whatever their attempts. Answers the jobs, in order of their deadlines.
  std::vector<std::string> reap(std::int64_t now_ms);
  /// Due scheduled jobs go back to pending.
  std::vector<std::string> promote(std::int64_t now_ms);

  /// From here on every call appends what it changes; null: no more. `log` must outlive the queue.
  void log_to(std::vector<Past>* log) { log_ = log; }
  /// Takes the newest changes back, given in the order in which they were logged: all of them up to now.
  void put_back(const std::vector<Past>& changes);

  [[nodiscard]] const Row* find(std::string_view job) const;
  /// Rows that some call still has to bring to an end: pending, active or scheduled.
  [[nodiscard]] std::size_t unfinished() const { return unfinished_; }
  [[nodiscard]] const std::map<std::string, Row, std::less<>>& rows() const { return rows_; }

 private:
  using Rows = std::map<std::string, Row, std::less<>>;
  void make_pending(const std::string& job, Row& row);
  void leave(const std::string& job, Row& row);
  void remember(std::string_view job);
  void put_row_back(const Past& past);

  Rows rows_;
  std::map<std::string, std::set<std::string>, std::less<>> lanes_;  // group → pending job ids, oldest id first
  std::deque<std::string> ring_;                                     // groups that have something pending
  std::set<std::pair<std::int64_t, std::string>> leases_, scheduled_;
  std::size_t unfinished_ = 0;
  JobToken tokens_;
  std::int64_t last_token_ = 0;
  std::vector<Past>* log_ = nullptr;
};

}  // namespace cohsim
