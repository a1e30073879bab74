// The world of one run: the kernel, the server, the nodes, the source of truth, and what strikes them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/fault_injector.h"
#include "model/fault_plan.h"
#include "model/network_notes.h"
#include "model/node.h"
#include "model/operations.h"
#include "model/server_host.h"
#include "model/truth.h"
#include "model/world_view.h"

namespace cohsim {

/// Built anew for every run. Everything in it is a function of (scenario, script, strategy's picks).
class World final : public WorldView, public MessageSink {
 public:
  World(const Scenario& scenario, Strategy& strategy, lua::Interpreter& interpreter, const ScriptUnderTest& script);
  ~World() override;
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] Notes& notes() { return notes_; }
  [[nodiscard]] Trace& trace() { return trace_; }
  [[nodiscard]] const Trace& trace() const { return trace_; }
  [[nodiscard]] Scheduler& scheduler() { return scheduler_; }
  [[nodiscard]] Choices& choices() { return choices_; }
  [[nodiscard]] Network& network() { return *network_; }
  [[nodiscard]] ServerHost& host() { return *host_; }
  [[nodiscard]] Operations& operations() { return operations_; }
  [[nodiscard]] RunState& run_state() { return run_; }
  [[nodiscard]] const FaultPlan& faults() const { return plan_; }
  [[nodiscard]] SourceOfTruth& source_of_truth() { return truth_; }
  [[nodiscard]] Node& node(Actor actor) { return *nodes_[actor - actor_first_node]; }
  [[nodiscard]] const Node& node(Actor actor) const { return *nodes_[actor - actor_first_node]; }
  [[nodiscard]] std::vector<Actor> node_actors() const;

  /// Before `start`: the model is to have this defect.
  void plant(Defect defect);
  /// Starts every node and lets them connect and subscribe; then faults begin.
  void start();
  /// One step of the scheduler, then `after_step`. False when nothing is due at or before `until`.
  bool step(TimeUs until);
  /// Called after every step that ran something; may throw to end the run.
  std::function<void()> after_step;
  /// Steps until nothing moves but beats, or until `limit`. True when quiet.
  bool run_until_quiet(TimeUs limit);

  void crash(Actor node, bool power);
  void restart(Actor node);
  void step_clock(Actor node, DurationUs by_us);
  void drift_clock(Actor node, std::int32_t ppm);
  /// The node stands still from now on, for so long.
  void pause(Actor node, DurationUs span_us);
  /// Cuts from → to, one way; and mends that cut, if there is one.
  void partition(Actor from, Actor to);
  void heal(Actor from, Actor to);
  /// properties.md, "Settle". `final`: what was stopped or held goes on too, and faults stay off.
  void settle(bool final);

  // WorldView
  [[nodiscard]] const Scenario& scenario() const override { return scenario_; }
  [[nodiscard]] TimeUs now() const override { return scheduler_.now(); }
  [[nodiscard]] std::size_t node_count() const override { return nodes_.size(); }
  [[nodiscard]] std::string_view actor_name(Actor actor) const override;
  [[nodiscard]] bool node_up(Actor actor) const override { return node(actor).up(); }
  [[nodiscard]] bool node_left(Actor actor) const override { return node(actor).left(); }
  [[nodiscard]] const L1Row* l1_row(Actor actor, std::uint16_t table, std::string_view id) const override;
  [[nodiscard]] std::vector<std::string> l1_ids(Actor actor, std::uint16_t table) const override;
  [[nodiscard]] std::optional<valkey::Row> l2_row(std::uint16_t table, std::string_view id) const override;
  [[nodiscard]] std::vector<std::pair<std::string, valkey::Row>> l2_rows() const override;
  [[nodiscard]] const Truth* truth(std::uint16_t table, std::string_view id) const override;
  [[nodiscard]] const JournalContents* journal(Actor actor, std::uint16_t table) const override;
  [[nodiscard]] Counters counters(Actor actor, std::uint16_t table) const override;
  [[nodiscard]] std::vector<JobView> jobs() const override;

  // MessageSink
  [[nodiscard]] std::optional<DropCause> refusal(const Message& message) const override;
  void deliver(const Message& message) override;

 private:
  [[nodiscard]] bool quiet() const;
  void replay_everywhere();
  void expire_everywhere();

  const Scenario& scenario_;
  Choices choices_;
  Scheduler scheduler_;
  Trace trace_;
  Notes notes_;
  RunState run_;
  FaultPlan plan_;
  SourceOfTruth truth_;
  Operations operations_;
  std::unique_ptr<ServerHost> host_;
  std::unique_ptr<NetworkNotes> network_notes_;
  std::unique_ptr<Network> network_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::unique_ptr<FaultInjector> injector_;
};

}  // namespace cohsim
