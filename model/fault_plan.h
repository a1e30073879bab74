// Which faults are in force: of a scenario's rules, the one aimed at what happens now.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/faults.h"
#include "sim/actor.h"
#include "sim/network.h"

namespace cohsim {

struct Scenario;

/// What happens, as far as an aim asks. Negative: no such thing about it, and no aim that names one fits.
struct FaultTarget {
  int node = -1;   ///< an actor
  int from = -1;   ///< an actor
  int table = -1;  ///< an index
  int lane = -1;   ///< a Lane
};

/// An aim with its names resolved.
class Reach {
 public:
  Reach(const Aim& aim, const Scenario& scenario);
  [[nodiscard]] bool fits(TimeUs now, const FaultTarget& target) const;

 private:
  TimeUs from_us_ = 0, until_us_ = -1;  // -1: for ever
  std::uint64_t nodes_ = 0, senders_ = 0, tables_ = 0, lanes_ = 0;  // bit sets; 0: all
};

/// The rules of one kind. Refers to the scenario, which must outlive it.
template <class Group>
class AimedRules {
 public:
  AimedRules(const Rules<Group>& rules, const Scenario& scenario) {
    add(rules, scenario);
    for (const Group& more : rules.more) add(more, scenario);
  }
  /// The first rule that fits; one that does nothing where none does.
  [[nodiscard]] const Group& at(TimeUs now, const FaultTarget& target) const {
    for (const auto& [reach, group] : rules_) {
      if (reach.fits(now, target)) return *group;
    }
    return calm_;
  }

 private:
  void add(const Group& group, const Scenario& scenario) { rules_.emplace_back(Reach(group.aim, scenario), &group); }

  std::vector<std::pair<Reach, const Group*>> rules_;
  Group calm_{};
};

/// One a run. While it is off (before the faults begin, and during a settle) nothing is in force.
class FaultPlan {
 public:
  explicit FaultPlan(const Scenario& scenario);

  void turn(bool on) { on_ = on; }
  [[nodiscard]] bool on() const { return on_; }

  [[nodiscard]] const MessageFaults& messages(TimeUs now, const Message& message) const;
  [[nodiscard]] const ConnectionFaults& connections(TimeUs now, Actor node) const { return of(connections_, now, node); }
  [[nodiscard]] const NodeFaults& nodes(TimeUs now, Actor node) const { return of(nodes_, now, node); }
  [[nodiscard]] const ClockFaults& clocks(TimeUs now, Actor node) const { return of(clocks_, now, node); }
  /// `node` sent the command.
  [[nodiscard]] const ValkeyFaults& valkey(TimeUs now, Actor node) const { return of(valkey_, now, node); }
  [[nodiscard]] const HandlerFaults& handlers(TimeUs now, Actor node, std::uint16_t table) const {
    return of(handlers_, now, node, table);
  }
  [[nodiscard]] const LoaderFaults& loader(TimeUs now, Actor node, std::uint16_t table) const {
    return of(loader_, now, node, table);
  }
  [[nodiscard]] const DiskFaults& disks(TimeUs now, Actor node) const { return of(disks_, now, node); }
  /// What a node's clocks have drawn for them before it starts; whatever the plan is turned to.
  [[nodiscard]] const ClockFaults& clocks_at_start(Actor node) const { return clocks_.at(0, {.node = node}); }

 private:
  template <class Group>
  const Group& of(const AimedRules<Group>& rules, TimeUs now, Actor node, int table = -1) const {
    static const Group calm{};
    return on_ ? rules.at(now, {.node = node, .table = table}) : calm;
  }

  bool on_ = false;
  AimedRules<MessageFaults> messages_;
  AimedRules<ConnectionFaults> connections_;
  AimedRules<NodeFaults> nodes_;
  AimedRules<ClockFaults> clocks_;
  AimedRules<ValkeyFaults> valkey_;
  AimedRules<HandlerFaults> handlers_;
  AimedRules<LoaderFaults> loader_;
  AimedRules<DiskRules> disks_;
};

}  // namespace cohsim
