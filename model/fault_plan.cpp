#include "model/fault_plan.h"

#include <algorithm>

#include "model/scenario.h"

namespace cohsim {

namespace {

constexpr std::string_view by_hand = "world";  // who sends what a step posts

std::uint64_t actors_named(const std::vector<std::string>& names, const Scenario& scenario) {
  std::uint64_t bits = 0;
  for (const std::string& name : names) {
    const auto found = std::find(scenario.nodes.begin(), scenario.nodes.end(), name);
    if (found != scenario.nodes.end()) {
      bits |= std::uint64_t{1} << (actor_first_node + (found - scenario.nodes.begin()));
    } else if (name == by_hand) {
      bits |= std::uint64_t{1} << actor_world;
    }
  }
  return bits;
}

bool in(std::uint64_t bits, int which) { return bits == 0 || (which >= 0 && (bits >> which & 1) != 0); }

}  // namespace

Reach::Reach(const Aim& aim, const Scenario& scenario)
    : nodes_(actors_named(aim.nodes, scenario)), senders_(actors_named(aim.from, scenario)) {
  if (aim.during) {
    from_us_ = aim.during->low_us;
    until_us_ = aim.during->high_us;
  }
  for (std::size_t table = 0; table < scenario.tables.size(); ++table) {
    const auto& named = aim.tables;
    if (std::find(named.begin(), named.end(), scenario.tables[table].name) != named.end()) tables_ |= std::uint64_t{1} << table;
  }
  for (const std::string& kind : aim.kinds) {
    lanes_ |= std::uint64_t{1} << static_cast<int>(kind == "job" ? Lane::job : Lane::broadcast);
  }
}

bool Reach::fits(TimeUs now, const FaultTarget& target) const {
  if (now < from_us_ || (until_us_ >= 0 && now >= until_us_)) return false;
  return in(nodes_, target.node) && in(senders_, target.from) && in(tables_, target.table) && in(lanes_, target.lane);
}

FaultPlan::FaultPlan(const Scenario& scenario)
    : messages_(scenario.faults.messages, scenario),
      connections_(scenario.faults.connections, scenario),
      nodes_(scenario.faults.nodes, scenario),
      clocks_(scenario.faults.clocks, scenario),
      valkey_(scenario.faults.valkey, scenario),
      handlers_(scenario.faults.handlers, scenario),
      loader_(scenario.faults.loader, scenario),
      disks_(scenario.faults.disks, scenario) {}

const MessageFaults& FaultPlan::messages(TimeUs now, const Message& message) const {
  static const MessageFaults calm{};
  if (!on_) return calm;
  return messages_.at(now, {.node = message.to, .from = message.from, .table = message.table, .lane = message.lane});
}

}  // namespace cohsim
