// The one Valkey of the world with everything that happens at it: commands, the script with what it touched, the job
// queues, pushes to subscribers, and the faults that strike a server per command.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/defects.h"
#include "model/fault_plan.h"
#include "model/job_queue.h"
#include "model/notes.h"
#include "model/recent_writes.h"
#include "model/scenario.h"
#include "sim/choices.h"
#include "sim/network.h"
#include "sim/valkey/server.h"

namespace cohsim {

/// The script under test, as the run sends it.
struct ScriptUnderTest {
  std::string text;
  std::string sha1;
};

class ServerHost final : public valkey::PushSink, public valkey::RowObserver {
 public:
  static constexpr DurationUs busy_after_us = 5 * us_per_s;  ///< busy-reply-threshold, of a server's own configuration

  ServerHost(lua::Interpreter& interpreter, const Scenario& scenario, const ScriptUnderTest& script, Scheduler& scheduler,
             Choices& choices, Notes& notes, const FaultPlan& faults);

  /// Must be set before the first command; the network needs the world, and the world the host.
  void connect_to(Network& network) { network_ = &network; }
  void plant(Defect defect) { defect_ = defect; }

  /// Unix microseconds and milliseconds of the server's clock.
  [[nodiscard]] std::int64_t wall_us() const { return start_us_ + scheduler_.now(); }
  [[nodiscard]] std::int64_t wall_ms() const { return wall_us() / us_per_ms; }

  // What requests do when they arrive. `node` is who sent them, `epoch` that of the connection then: a request may run
  // after its connection broke, and even after it came up again.
  valkey::Reply command(Actor node, ConnectionId connection, std::uint32_t epoch, const std::vector<std::string>& args);
  /// EVALSHA of the script under test on one row, with everything that the oracles want to know of it. Its keys are the
  /// row's, and a second that the scenario's design declares: the floor's or the lease's.
  valkey::Reply drop(Actor node, ConnectionId connection, std::uint32_t epoch, TableRef table, std::string_view id,
                     const std::string& key, const std::string& version);
  Outcome enqueue(const std::string& queue, const std::string& job, const std::string& payload, const std::string& group);
  std::optional<JobQueue::Claim> claim(Actor node, const std::string& queue);
  /// complete, or retry.
  Outcome settle_job(Actor node, const std::string& queue, const std::string& job, std::int64_t token, bool complete);
  void reap(const std::string& queue);
  void promote(const std::string& queue);

  /// A client's connection broke: its subscriptions are gone.
  void disconnected(ConnectionId connection, std::uint32_t epoch);
  /// Faults that may strike once a command has run; breaks connections, so it comes last.
  void strike();
  void restart(bool keep_rows);
  /// A replica takes over that lacks the newest `lose` writes (fewer where fewer are known: RecentWrites). Answers how many
  /// it lacked.
  std::size_t failover(std::size_t lose);
  /// A command of nobody, past the network.
  valkey::Reply raw(const std::vector<std::string>& args);
  void flush_scripts();
  /// For `span` it refuses whatever takes memory, as far as a fault plan is on: of jobs everything but completing, which
  /// only deletes. A scenario that sets `maxmemory` by itself loses that.
  void be_full(DurationUs span);
  /// For `span` it hears nobody. Where a script `hangs`, those who ask are told BUSY from busy_after_us on; a span of 0 then
  /// is its end, as by SCRIPT KILL, which is not heard earlier either.
  void be_slow(DurationUs span, bool hangs);
  /// Whatever takes long is through.
  void hear_again();
  /// From here on every read of a row is answered by a replica that far behind, as far as a fault plan is on; 0: no more.
  void lag_replicas(DurationUs by) { replica_lag_us_ = by; }
  bool evict(const std::string& key);

  [[nodiscard]] valkey::Server& server() { return server_; }
  [[nodiscard]] const valkey::Server& server() const { return server_; }
  [[nodiscard]] const std::map<std::string, JobQueue, std::less<>>& queues() const { return queues_; }
  [[nodiscard]] std::size_t unfinished_jobs() const;
  [[nodiscard]] const ScriptUnderTest& script() const { return script_; }

  /// Who ought to hear a broadcast: asked per PUBLISH, so that those who miss it are counted. Answers, for each node with
  /// a table on that channel, its actor and what to blame when it is not subscribed.
  std::function<std::vector<std::pair<Actor, DropCause>>(std::uint16_t table)> listeners;

  // The fake's own call-backs.
  void push(valkey::ClientId subscriber, std::string_view channel, std::string_view payload) override;
  void row_changed(std::string_view key, const valkey::Row* before, const valkey::Row* after,
                   std::string_view cause) override;

  [[nodiscard]] static valkey::ClientId client_id(ConnectionId connection, std::uint32_t epoch) {
    return static_cast<valkey::ClientId>(connection) << 32 | epoch;
  }

 private:
  [[nodiscard]] const ValkeyFaults& faults() const { return plan_.valkey(scheduler_.now(), actor_server); }
  JobQueue& queue_named(const std::string& queue);
  void maybe_evict();
  void be_well();
  [[nodiscard]] bool is_full() const;
  [[nodiscard]] bool is_busy() const;
  [[nodiscard]] bool refuses_jobs() const { return is_busy() || is_full(); }
  void meet_memory();
  std::optional<valkey::Reply> answer_of_replica(Actor node, const std::vector<std::string>& args);
  /// What has changed since the last call of this was one write, of rows or of that queue.
  void end_write(const std::string& queue);
  void note_missed(Actor node, const std::vector<std::string>& args);

  const Scenario& scenario_;
  Scheduler& scheduler_;
  Choices& choices_;
  Notes& notes_;
  const FaultPlan& plan_;
  Network* network_ = nullptr;
  ScriptUnderTest script_;
  Defect defect_ = Defect::none;
  std::int64_t start_us_;
  Actor acting_ = actor_server;
  std::vector<Actor> reached_;  // whom the command under way pushed something to
  valkey::Server server_;
  RecentWrites recent_;
  std::vector<JobQueue::Past> job_changes_;  // of the call under way
  TimeUs full_until_ = 0, held_until_ = 0, busy_from_ = 0, busy_until_ = 0;
  DurationUs replica_lag_us_ = 0;
  bool full_ = false;  // the fake was told so
  std::map<std::string, JobQueue, std::less<>> queues_;
  std::map<std::string, std::uint16_t, std::less<>> channels_;
  std::vector<std::string> prefixes_;  // "ecc:{table}:", by table
};

}  // namespace cohsim
