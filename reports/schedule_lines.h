// What happened in a run, as the lines of a diagram: one a relevant event, with real ids. schedule_diagram.h draws them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/events.h"
#include "model/scenario.h"

namespace cohsim {

/// A column is an actor: nodes and the server as in sim/actor.h, and the world's number for the source of truth.
inline constexpr Actor column_truth = actor_world;

/// From this line on a column holds `version` (empty: nothing) of the name `id` (empty: of every name).
struct CellChange {
  Actor column;
  std::string id;
  std::string version;
};

struct ScheduleLine {
  enum class Kind : std::uint8_t { event, quiet, mint, settled };  ///< quiet, settled: not drawn
  std::uint64_t step = 0;
  TimeUs at = 0;
  Actor from = 0;
  Actor to = 0;          ///< equal to `from`: nothing travels
  bool lost = false;     ///< what travels does not arrive
  bool note = false;     ///< of the whole system: no column is marked
  Kind kind = Kind::event;
  std::string id;        ///< the name it is about; empty: about none
  std::string text;
  std::vector<CellChange> cells;
  std::set<Actor> stopped, started;  ///< nodes that are down, or up again
};

/// What the ids of a run are: for the legend.
struct ScheduleIds {
  std::vector<std::string> versions;           ///< in order of mint, or of appearance
  std::map<std::string, std::string> values;   ///< by version
  std::map<std::string, std::string> origins;  ///< by version: "committed by writer", "minted by reader for a fill"
  std::vector<std::string> jobs;               ///< in order of appearance
  std::map<std::string, std::string> job_names;  ///< the name that a job is about
};

/// Watches a run and keeps its lines. An event without a function here is no line.
class ScheduleLines final : public Observer {
 public:
  /// `with_reads`: every answer to a reader is a line, not only hits.
  ScheduleLines(const Scenario& scenario, bool with_reads) : scenario_(scenario), with_reads_(with_reads) {}

  [[nodiscard]] const std::vector<ScheduleLine>& lines() const { return lines_; }
  [[nodiscard]] const ScheduleIds& ids() const { return ids_; }

  using Observer::on;
#define COHSIM_LINE(type) void on(const When& when, const event::type& e) override;
  COHSIM_LINE(NodeStarted) COHSIM_LINE(NodeCrashed) COHSIM_LINE(NodeLeft) COHSIM_LINE(ClockStepped)
  COHSIM_LINE(NodePaused) COHSIM_LINE(ClockDrifts) COHSIM_LINE(LoaderStruck) COHSIM_LINE(ServerFailedOver)
  COHSIM_LINE(ServerFull) COHSIM_LINE(ServerSlow) COHSIM_LINE(ReplicaRead)
  COHSIM_LINE(JobWentBack) COHSIM_LINE(Partitioned) COHSIM_LINE(SettleBegan) COHSIM_LINE(SettleEnded) COHSIM_LINE(ExpectationChecked)
  COHSIM_LINE(OperationStopped) COHSIM_LINE(OperationResumed) COHSIM_LINE(Minted) COHSIM_LINE(Committed)
  COHSIM_LINE(WriteEnded) COHSIM_LINE(L1Changed) COHSIM_LINE(OwnerDied) COHSIM_LINE(CoherenceApplied)
  COHSIM_LINE(FetchEnded) COHSIM_LINE(FlightBegan) COHSIM_LINE(FlightJoined) COHSIM_LINE(FlightRead)
  COHSIM_LINE(FlightEnded) COHSIM_LINE(FullSkip) COHSIM_LINE(RowChanged) COHSIM_LINE(WriteRefused)
  COHSIM_LINE(ScriptRan) COHSIM_LINE(DropAnswered) COHSIM_LINE(ServerRestarted) COHSIM_LINE(ScriptsFlushed)
  COHSIM_LINE(RequestRan) COHSIM_LINE(ConnectionBroke) COHSIM_LINE(MessageSent) COHSIM_LINE(MessageDropped)
  COHSIM_LINE(MessageDelivered) COHSIM_LINE(MessageHeld) COHSIM_LINE(MessageMalformed) COHSIM_LINE(RingOffered)
  COHSIM_LINE(JobEnqueued) COHSIM_LINE(JobClaimed) COHSIM_LINE(JobSettled) COHSIM_LINE(JobMoved)
  COHSIM_LINE(HandlerEnded) COHSIM_LINE(JournalAttempted) COHSIM_LINE(JournalFailed) COHSIM_LINE(SyncFailed)
  COHSIM_LINE(DiedInCommit) COHSIM_LINE(DiskHarmed) COHSIM_LINE(JournalRecovered) COHSIM_LINE(JournalSetAside)
  COHSIM_LINE(JournalCallEnded) COHSIM_LINE(ReplayBegan) COHSIM_LINE(ReplayEnded)
#undef COHSIM_LINE

 private:
  ScheduleLine& add(const When& when, Actor from, Actor to, std::string_view id, std::string text);
  ScheduleLine& quiet(const When& when, Actor column, std::string_view id, std::string_view version);
  void message(const When& when, const std::string& verb, Actor to, std::uint8_t lane, std::string_view bytes, bool lost);
  void version(std::string_view version, std::string_view value, const std::string& origin);
  void frame(std::string_view bytes, Actor writer);
  void job(std::string_view job, std::string_view payload);
  void floor(const When& when, const event::RowChanged& e);
  void forget_echo(Actor node, std::string_view version);

  const Scenario& scenario_;
  bool with_reads_;
  std::vector<ScheduleLine> lines_;
  ScheduleIds ids_;
  std::set<std::string> published_;                ///< a PUBLISH is one line, its messages are others
  std::set<std::string> held_;                     ///< jobs whose way to the handler a step held up
  std::map<std::pair<Actor, std::string>, std::size_t> echoes_;  ///< where a writer's own message began
  std::map<Actor, std::string> claimed_;           ///< the job that a node has claimed last
  std::set<std::string> idle_jobs_;                ///< a writer's own, which found its own row
  std::map<Actor, std::size_t> replays_;           ///< where the replay of a node began
  Actor caller_ = actor_server;                    ///< whose request the server runs
};

inline constexpr std::string_view settle_text = "settle: faults end, all is delivered";
inline constexpr std::string_view flight_text = "a read misses L1: flight";

}  // namespace cohsim
