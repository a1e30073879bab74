// The world as those see it who only watch: oracles, invariants, readers of a scenario, `replay --state`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/events.h"
#include "model/scenario.h"

namespace cohsim {

struct L1Row {
  std::string version;
  std::string value;
  TimeUs expires_at = 0;  ///< on the node's monotonic clock
};

/// The newest committed write of one name.
struct Truth {
  std::string value;
  std::string version;
  std::uint64_t serial = 0;
};

/// Counters of one table at one node (domain.md section 3), and of its ring.
struct Counters {
  std::uint64_t hits = 0, misses = 0, fills = 0, l2_hits = 0, coalesced = 0, swept = 0, full_skips = 0, sweeps = 0,
                coh_applied = 0, coh_stale = 0, ring_dropped = 0;
};

struct JobView {
  std::string queue, job, payload, group;
  JobState state = JobState::absent;
  std::int64_t attempts = 0;
  std::int64_t deadline_ms = 0;  ///< lease while active, due time while scheduled (server clock)
};

class WorldView {
 public:
  virtual ~WorldView() = default;
  [[nodiscard]] virtual const Scenario& scenario() const = 0;
  [[nodiscard]] virtual TimeUs now() const = 0;
  [[nodiscard]] virtual std::size_t node_count() const = 0;          ///< actors actor_first_node …
  [[nodiscard]] virtual std::string_view actor_name(Actor actor) const = 0;
  [[nodiscard]] virtual bool node_up(Actor node) const = 0;
  [[nodiscard]] virtual bool node_left(Actor node) const = 0;
  /// Null when the node is down or there is no such unexpired row.
  [[nodiscard]] virtual const L1Row* l1_row(Actor node, std::uint16_t table, std::string_view id) const = 0;
  /// Ids of every L1 row of a table, in id order.
  [[nodiscard]] virtual std::vector<std::string> l1_ids(Actor node, std::uint16_t table) const = 0;
  [[nodiscard]] virtual std::optional<valkey::Row> l2_row(std::uint16_t table, std::string_view id) const = 0;
  [[nodiscard]] virtual std::vector<std::pair<std::string, valkey::Row>> l2_rows() const = 0;
  [[nodiscard]] virtual const Truth* truth(std::uint16_t table, std::string_view id) const = 0;
  /// Null when the table is not on the job lane or the node is down. `l1_row` and this are state, not history.
  [[nodiscard]] virtual const JournalContents* journal(Actor node, std::uint16_t table) const = 0;
  [[nodiscard]] virtual Counters counters(Actor node, std::uint16_t table) const = 0;
  [[nodiscard]] virtual std::vector<JobView> jobs() const = 0;       ///< every job row, in (queue, job) order
};

}  // namespace cohsim
