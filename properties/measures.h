// Counts what a run exercised: branches of the script, faults by kind, and the measures of properties.md.
#pragma once

#include "properties/read_staleness.h"
#include "properties/run.h"

namespace cohsim {

class Measures final : public Observer {
 public:
  Measures();
  /// Everything that a scenario may bound.
  [[nodiscard]] static std::vector<std::string> names();
  using Observer::on;
  void on(const When& when, const event::ScriptRan& ran) override;
  void on(const When& when, const event::FetchEnded& ended) override;
  void on(const When& when, const event::MessageSent& sent) override;
  void on(const When& when, const event::MessageDropped& dropped) override;
  void on(const When& when, const event::MessageDuplicated& duplicated) override;
  void on(const When& when, const event::MessageDelivered& delivered) override;
  void on(const When& when, const event::MessageDelayed& delayed) override;
  void on(const When& when, const event::MessageMalformed& malformed) override;
  void on(const When& when, const event::RingOffered& offered) override;
  void on(const When& when, const event::ConnectionBroke& broke) override;
  void on(const When& when, const event::RequestRan& ran) override;
  void on(const When& when, const event::NodeCrashed& crashed) override;
  void on(const When& when, const event::NodeLeft& left) override;
  void on(const When& when, const event::ClockStepped& stepped) override;
  void on(const When& when, const event::NodePaused& paused) override;
  void on(const When& when, const event::ClockDrifts& drifts) override;
  void on(const When& when, const event::LoaderStruck& struck) override;
  void on(const When& when, const event::Partitioned& partitioned) override;
  void on(const When& when, const event::ServerRestarted& restarted) override;
  void on(const When& when, const event::ServerFailedOver& failed_over) override;
  void on(const When& when, const event::ServerFull& full) override;
  void on(const When& when, const event::ServerSlow& slow) override;
  void on(const When& when, const event::ReplicaRead& read) override;
  void on(const When& when, const event::ScriptsFlushed& flushed) override;
  void on(const When& when, const event::ScriptLoaded& loaded) override;
  void on(const When& when, const event::RowChanged& changed) override;
  void on(const When& when, const event::HandlerEnded& ended) override;
  void on(const When& when, const event::JobClaimed& claimed) override;
  void on(const When& when, const event::JobSettled& settled) override;
  void on(const When& when, const event::JobEnqueued& enqueued) override;
  void on(const When& when, const event::FlightJoined& joined) override;
  void on(const When& when, const event::FlightEnded& ended) override;
  void on(const When& when, const event::JournalCallEnded& ended) override;
  void on(const When& when, const event::JournalRecovered& recovered) override;
  void on(const When& when, const event::Committed& committed) override;
  void on(const When& when, const event::SyncFailed& failed) override;
  void on(const When& when, const event::DiskHarmed& harmed) override;
  void on(const When& when, const event::DiedInCommit& died) override;
  void on(const When& when, const event::JournalSetAside& set_aside) override;
  void on(const When& when, const event::DiskCalls& calls) override;
  void on(const When& when, const event::OwnerDied& died) override;

  [[nodiscard]] Counts branches() const;
  /// Every kind of fault that this version has, those that never struck with 0.
  [[nodiscard]] Counts faults() const;
  [[nodiscard]] Counts measures() const;
  /// How stale reads were, as ReadStaleness::buckets says.
  [[nodiscard]] Counts staleness() const { return staleness_.buckets(); }
  /// Crashes by the stopping point that a fiber of the node had come to last.
  [[nodiscard]] const Counts& crash_places() const { return crash_places_; }

 private:
  enum Fault : std::size_t {
    message_delayed, message_dropped, message_duplicated, message_reordered, message_lost_away, partition_cut,
    connection_reset, connection_timeout, command_ran_late, process_crash, power_loss, bytes_lost, node_left,
    clock_step, server_restart, scripts_flushed, row_evicted, handler_failed, ring_overflow, owner_died, sync_failed,
    write_torn, synced_lost, died_in_commit, node_paused, clock_drifts, subscriber_away, loader_failed, loader_slow, loader_stale,
    server_failover, writes_lost, server_full, server_slow, script_hung, replica_read, fault_count
  };
  enum Measure : std::size_t {
    commits, messages_sent, messages_delivered, messages_malformed, flights, coalesced, l2_hits, fills, claims,
    redeliveries, dead_jobs, duplicates_refused, stale_tokens, remembered_stale, recoveries, scripts_loaded, drops,
    disk_calls, journals_set_aside,
    measure_count  // those of staleness_ come on top
  };
  ReadStaleness staleness_;
  Counts crash_places_;
  std::uint64_t absent_ = 0, short_ = 0, newer_ = 0, kept_ = 0;
  std::array<std::uint64_t, fault_count> faults_{};
  std::array<std::uint64_t, measure_count> measures_{};
};

}  // namespace cohsim
