// Where a decision is taken. Together with the actor, a site names one stream of picks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cohsim {

/// Append only: the number of a site is part of its stream's seed and of decision files.
enum class Site : std::uint16_t {
  tie,                  ///< which of the events due at one instant runs first
  request_latency,      ///< way of a request to the server
  reply_latency,        ///< way of its reply back
  connection_reset,     ///< whether a command's connection breaks
  reset_outcome,        ///< never ran / ran, reply lost / runs after the client saw the break
  broken_in_flight,     ///< whether a request under way when its connection breaks still runs
  reconnect_delay,
  message_latency,
  message_drop,
  message_duplicate,
  message_delay,
  message_reorder,
  crash,                ///< whether a node crashes in this virtual second
  crash_landing,        ///< at which of its next awaits
  crash_kind,           ///< process or power
  crash_down,           ///< how long it stays down
  disk_tail,            ///< bytes that a power loss takes from the unsynced tail
  disk_latency,
  clock_offset,
  clock_step,
  clock_step_size,
  server_restart,
  server_flush_scripts,
  server_evict,
  server_evict_which,
  row_jitter,
  loader_latency,
  handler_latency,
  work_gap,             ///< time between two operations of the workload
  work_operation,
  work_node,
  work_table,
  work_name,
  work_version_kind,
  work_malformed,
  beat_phase,
  handler_fail,
  disk_sync_fail,       ///< whether a sync fails
  disk_writes_lost,     ///< how many of a file's unsynced writes a power loss takes, the newest first
  disk_torn,            ///< whether the first write lost leaves a part of itself
  disk_torn_bytes,      ///< how long that part is
  disk_crash_call,      ///< after how many of a commit's calls to the disk the process dies
  node_pause,           ///< whether a node stands still in this virtual second
  node_pause_span,
  clock_drift,          ///< how much faster a node's clocks run
  subscriber_away,      ///< whether a node's subscriber is cut off in this virtual second
  subscriber_away_span,
  loader_fail,          ///< whether a load fails
  loader_slow,
  loader_slow_span,
  loader_stale,         ///< whether a load is answered by a replica
  loader_lag,
  server_failover,
  server_failover_lost, ///< how many of the newest writes
  server_full,
  server_full_span,
  server_slow,
  server_slow_span,
  server_hang,
  server_hang_span,
  server_stale,         ///< whether a replica answers
  server_lag,
  partition,            ///< whether a node is cut off from the server in this virtual second
  partition_way,        ///< both, what it sends, or what it hears
  partition_span,
  count_                ///< number of sites, not a site
};

inline constexpr std::size_t site_count = static_cast<std::size_t>(Site::count_);

/// The stable name of a site, as decision files spell it.
[[nodiscard]] std::string_view name_of(Site site);

}  // namespace cohsim
