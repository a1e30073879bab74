// The newest writes of the server, in one order for rows and jobs: a failover can lose them, and a replica lag behind them.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/job_queue.h"
#include "sim/time.h"
#include "sim/valkey/row.h"

namespace cohsim {

/// A write is whatever one command, or one call of a queue, has changed: a replica gets it whole or not at all. What
/// expires is no write here, since a replica judges deadlines by itself.
class RecentWrites {
 public:
  static constexpr std::size_t most = 1000;  ///< that any scenario may lose

  /// Keeps the newest `kept` writes; 0: nothing, and every call returns at once.
  explicit RecentWrites(std::size_t kept) : kept_(kept) {}
  [[nodiscard]] bool keeps() const { return kept_ != 0; }

  /// A row changed, for the write under way; `before` null: there was none.
  void row_changed(std::string_view key, const valkey::Row* before, std::string_view cause);
  /// The write under way is through, if it changed anything; `changes` are those of that queue.
  void end_write(const std::string& queue, std::vector<JobQueue::Past> changes, TimeUs now);

  /// What stood before the lost writes: of each row that they changed, and the changes of each queue, oldest first.
  struct Lost {
    std::size_t writes = 0;
    std::map<std::string, std::optional<valkey::Row>> rows;
    std::map<std::string, std::vector<JobQueue::Past>> queues;
  };
  /// Forgets the newest `count` writes, or as many as there are.
  Lost take_newest(std::size_t count);
  /// The row as it stood at `time`, which now is `row` (null: absent); as far back as writes are kept. What expired since
  /// may be missing.
  [[nodiscard]] std::optional<valkey::Row> row_at(std::string_view key, const std::optional<valkey::Row>& row,
                                                  TimeUs time) const;
  void clear();

 private:
  struct Write {
    TimeUs at = 0;
    std::vector<std::pair<std::string, std::optional<valkey::Row>>> rows;
    std::string queue;
    std::vector<JobQueue::Past> changes;
  };
  std::size_t kept_;
  Write open_;
  std::deque<Write> writes_;
};

}  // namespace cohsim
