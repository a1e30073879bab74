#include "properties/measures.h"

#include <array>

namespace cohsim {

namespace {

template <std::size_t n>
Counts named(const std::array<std::string_view, n>& names, const std::array<std::uint64_t, n>& counts) {
  Counts all;
  for (std::size_t i = 0; i < n; ++i) all[std::string(names[i])] = counts[i];
  return all;
}

}  // namespace

Measures::Measures() = default;

// By what the row was and became, not by what the script says of it.
void Measures::on(const When&, const event::ScriptRan& ran) {
  ++measures_[drops];
  if (ran.before == nullptr) {
    ++absent_;
  } else if (ran.before->bytes.size() < 14) {
    ++short_;
  } else if (ran.after == nullptr) {
    ++newer_;
  } else {
    ++kept_;
  }
}

void Measures::on(const When&, const event::MessageSent&) { ++measures_[messages_sent]; }
void Measures::on(const When&, const event::MessageDropped& dropped) {
  if (dropped.cause == "partition") {
    ++faults_[partition_cut];
  } else if (dropped.cause == "away" || dropped.cause == "node_down") {
    ++faults_[message_lost_away];
  } else {
    ++faults_[message_dropped];
  }
}
void Measures::on(const When&, const event::MessageDuplicated&) { ++faults_[message_duplicated]; }
void Measures::on(const When&, const event::MessageDelivered& delivered) {
  ++measures_[messages_delivered];
  faults_[message_reordered] += delivered.overtook;
}
void Measures::on(const When&, const event::MessageDelayed&) { ++faults_[message_delayed]; }
void Measures::on(const When&, const event::MessageMalformed&) { ++measures_[messages_malformed]; }
void Measures::on(const When&, const event::RingOffered& offered) { faults_[ring_overflow] += !offered.accepted; }
void Measures::on(const When&, const event::ConnectionBroke& broke) {
  faults_[connection_reset] += broke.why == "reset";
  faults_[connection_timeout] += broke.why == "timeout";
  faults_[subscriber_away] += broke.why == "away";
}
void Measures::on(const When&, const event::RequestRan& ran) { faults_[command_ran_late] += ran.late; }
void Measures::on(const When&, const event::NodeCrashed& crashed) {
  ++crash_places_[crashed.at.empty() ? "no point yet" : std::string(crashed.at)];
  ++faults_[crashed.power ? power_loss : process_crash];
  faults_[bytes_lost] += crashed.lost_bytes;
}
void Measures::on(const When&, const event::NodeLeft&) { ++faults_[node_left]; }
void Measures::on(const When&, const event::ClockStepped&) { ++faults_[clock_step]; }
void Measures::on(const When&, const event::NodePaused&) { ++faults_[node_paused]; }
void Measures::on(const When&, const event::ClockDrifts& drifts) { faults_[clock_drifts] += drifts.ppm != 0; }
void Measures::on(const When&, const event::LoaderStruck& struck) {
  ++faults_[struck.what == "failed" ? loader_failed : struck.what == "slow" ? loader_slow : loader_stale];
}
void Measures::on(const When&, const event::Partitioned& partitioned) { faults_[partition_cut] += partitioned.cut; }
void Measures::on(const When&, const event::ServerRestarted&) { ++faults_[server_restart]; }
void Measures::on(const When&, const event::ServerFailedOver& failed_over) {
  ++faults_[server_failover];
  faults_[writes_lost] += failed_over.lost_writes;
}
void Measures::on(const When&, const event::ServerFull& full) { faults_[server_full] += full.span_us != 0; }
void Measures::on(const When&, const event::ServerSlow& slow) {
  if (slow.span_us != 0) ++faults_[slow.hangs ? script_hung : server_slow];
}
void Measures::on(const When&, const event::ReplicaRead&) { ++faults_[replica_read]; }
void Measures::on(const When&, const event::ScriptsFlushed&) { ++faults_[scripts_flushed]; }
void Measures::on(const When&, const event::ScriptLoaded&) { ++measures_[scripts_loaded]; }
void Measures::on(const When&, const event::RowChanged& changed) { faults_[row_evicted] += changed.cause == "evicted"; }
void Measures::on(const When&, const event::HandlerEnded& ended) {
  faults_[handler_failed] += ended.raised && ended.why == "the handler failed";
}
void Measures::on(const When&, const event::JobClaimed& claimed) {
  ++measures_[claims];
  measures_[redeliveries] += claimed.attempts > 1;
}
void Measures::on(const When&, const event::JobSettled& settled) {
  measures_[dead_jobs] += settled.after == JobState::dead && settled.before != JobState::dead;
  measures_[stale_tokens] += settled.answered == Outcome::stale;
}
void Measures::on(const When&, const event::JobEnqueued& enqueued) {
  measures_[duplicates_refused] += enqueued.answered_duplicate;
}
void Measures::on(const When&, const event::FlightJoined&) { ++measures_[coalesced]; }
void Measures::on(const When&, const event::FlightEnded& ended) {
  ++measures_[flights];
  measures_[l2_hits] += ended.outcome == FetchOutcome::l2_hit;
  measures_[fills] += ended.outcome == FetchOutcome::loaded;
}
void Measures::on(const When&, const event::JournalCallEnded& ended) {
  measures_[remembered_stale] += ended.verdict == JournalVerdict::remembered_stale;
}
void Measures::on(const When&, const event::JournalRecovered&) { ++measures_[recoveries]; }
void Measures::on(const When& when, const event::Committed& committed) {
  ++measures_[commits];
  staleness_.note(committed, when.at);
}
void Measures::on(const When&, const event::FetchEnded& ended) { staleness_.note(ended); }
void Measures::on(const When&, const event::OwnerDied&) { ++faults_[owner_died]; }

void Measures::on(const When&, const event::SyncFailed& failed) { faults_[sync_failed] += failed.syncs; }
void Measures::on(const When&, const event::DiskHarmed& harmed) {
  faults_[write_torn] += harmed.torn;
  faults_[synced_lost] += harmed.dropped;
}
void Measures::on(const When&, const event::DiedInCommit&) { ++faults_[died_in_commit]; }
void Measures::on(const When&, const event::JournalSetAside&) { ++measures_[journals_set_aside]; }
void Measures::on(const When&, const event::DiskCalls& calls) { measures_[disk_calls] += calls.reads + calls.changes; }

Counts Measures::branches() const {
  return {{"absent", absent_}, {"short", short_}, {"newer", newer_}, {"kept", kept_}};
}

Counts Measures::faults() const {
  static constexpr std::array<std::string_view, fault_count> names{
      "message delayed",   "message dropped",    "message duplicated", "message overtaken", "message missed (away)",
      "partition",         "connection reset",   "connection timeout", "command ran late",  "process crash",
      "power loss",        "disk bytes lost",    "node left",          "clock step",        "server restart",
      "scripts flushed",   "row evicted",        "handler failed",     "ring overflow",     "owner died",
      "sync failed",       "write torn",         "dropped pages lost", "died in a commit",
      "node paused",       "clock drifts",       "subscriber away",    "loader failed",     "loader slow",
      "loader stale",      "server failover",   "acknowledged writes lost", "server full", "server slow", "script hung", "replica read"};
  return named(names, faults_);
}

Counts Measures::measures() const {
  static constexpr std::array<std::string_view, measure_count> names{
      "commits",      "messages sent", "messages delivered", "messages malformed", "flights",      "flight waiters",
      "l2 hits",      "fills",         "claims",             "redeliveries",       "dead jobs",    "duplicates refused",
      "stale tokens", "remembered stale", "recoveries",      "scripts loaded",     "drops",
      "disk calls of sqlite", "journals set aside"};
  Counts all = named(names, measures_);
  all["reads"] = staleness_.reads();
  all["stale reads"] = staleness_.stale();
  all["staleness_us_max"] = staleness_.longest_us();
  return all;
}

std::vector<std::string> Measures::names() {
  std::vector<std::string> all;
  const Measures none;
  for (const Counts& counts : {none.branches(), none.faults(), none.measures()}) {
    for (const auto& [name, count] : counts) all.push_back(name);
  }
  return all;
}

}  // namespace cohsim
