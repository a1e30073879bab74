#include "sim/site.h"

namespace cohsim {

std::string_view name_of(Site site) {
  static constexpr std::array<std::string_view, site_count> names{
      "tie",
      "request_latency",
      "reply_latency",
      "connection_reset",
      "reset_outcome",
      "broken_in_flight",
      "reconnect_delay",
      "message_latency",
      "message_drop",
      "message_duplicate",
      "message_delay",
      "message_reorder",
      "crash",
      "crash_landing",
      "crash_kind",
      "crash_down",
      "disk_tail",
      "disk_latency",
      "clock_offset",
      "clock_step",
      "clock_step_size",
      "server_restart",
      "server_flush_scripts",
      "server_evict",
      "server_evict_which",
      "row_jitter",
      "loader_latency",
      "handler_latency",
      "work_gap",
      "work_operation",
      "work_node",
      "work_table",
      "work_name",
      "work_version_kind",
      "work_malformed",
      "beat_phase",
      "handler_fail",
      "disk_sync_fail",
      "disk_writes_lost",
      "disk_torn",
      "disk_torn_bytes",
      "disk_crash_call",
      "node_pause",
      "node_pause_span",
      "clock_drift",
      "subscriber_away",
      "subscriber_away_span",
      "loader_fail",
      "loader_slow",
      "loader_slow_span",
      "loader_stale",
      "loader_lag",
  };
  static_assert(!names.back().empty(), "every site needs a name");
  return names[static_cast<std::size_t>(site)];
}

}  // namespace cohsim
