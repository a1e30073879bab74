#include "model/fault_injector.h"

#include <algorithm>

#include "model/world.h"

namespace cohsim {

namespace {

template <class Group, class Asked>
bool any(const Rules<Group>& rules, Asked asked) {
  return asked(rules) || std::any_of(rules.more.begin(), rules.more.end(), asked);
}

}  // namespace

FaultInjector::FaultInjector(World& world) : world_(world), restart_(world) {
  world.scheduler().on_countdown([this](Actor node) { crash(node); });
}

void FaultInjector::set_clocks() {
  for (const Actor node : world_.node_actors()) {
    const ClockFaults& clocks = world_.faults().clocks_at_start(node);
    NodeClock& clock = world_.node(node).context().clock;
    if (clocks.offset) {
      clock.step(world_.choices().between(Site::clock_offset, node, clocks.offset->low_us, clocks.offset->high_us));
    }
    if (clocks.drift) {
      const auto ppm = world_.choices().between(Site::clock_drift, node, clocks.drift->low_ppm, clocks.drift->high_ppm);
      world_.drift_clock(node, static_cast<std::int32_t>(ppm));
    }
  }
}

void FaultInjector::start() {
  const Faults& faults = world_.scenario().faults;
  const bool strikes = any(faults.nodes, [](const NodeFaults& nodes) { return nodes.crash + nodes.pause != 0; }) ||
                       any(faults.clocks, [](const ClockFaults& clocks) { return clocks.step != 0; }) ||
                       any(faults.connections, [](const ConnectionFaults& each) { return each.away + each.partition != 0; });
  if (strikes) world_.scheduler().spawn(actor_world, loop(), 0, Scheduler::Duty::background);
}

Task<void> FaultInjector::loop() {
  for (;;) {
    for (const Actor node : world_.node_actors()) {
      if (world_.faults().on() && world_.node(node).up()) strike(node);
    }
    co_await world_.scheduler().sleep(us_per_s);
  }
}

void FaultInjector::strike(Actor node) {
  const TimeUs now = world_.now();
  const NodeFaults& nodes = world_.faults().nodes(now, node);
  Choices& choices = world_.choices();
  if (choices.chance(Site::crash, node, nodes.crash)) {
    const std::uint64_t awaits = 1 + choices.choose(Site::crash_landing, node, landing_awaits);
    world_.scheduler().arm(node, awaits);
  }
  const ClockFaults& clocks = world_.faults().clocks(now, node);
  if (choices.chance(Site::clock_step, node, clocks.step)) {
    const DurationRange& by = clocks.step_by;
    world_.step_clock(node, choices.between(Site::clock_step_size, node, by.low_us, by.high_us));
  }
  if (choices.chance(Site::node_pause, node, nodes.pause)) {
    const DurationRange& span = nodes.pause_for;
    world_.pause(node, choices.between(Site::node_pause_span, node, span.low_us, span.high_us));
  }
  const ConnectionFaults& connections = world_.faults().connections(now, node);
  if (choices.chance(Site::subscriber_away, node, connections.away)) {
    const DurationRange& span = connections.away_for;
    world_.node(node).cut_subscriber_off(
        choices.between(Site::subscriber_away_span, node, span.low_us, span.high_us), "away");
  }
  if (choices.chance(Site::partition, node, connections.partition)) cut_off(node, connections);
}

void FaultInjector::cut_off(Actor node, const ConnectionFaults& faults) {
  Choices& choices = world_.choices();
  const std::uint64_t way = choices.choose(Site::partition_way, node, 3);
  const DurationRange& range = faults.partition_for;
  const TimeUs until = world_.now() + choices.between(Site::partition_span, node, range.low_us, range.high_us);
  if (way != 2) world_.partition(node, actor_server);
  if (way != 1) world_.partition(actor_server, node);
  cut_until_[node] = std::max(cut_until_[node], until);
  world_.scheduler().at(until, heal_, node);
}

// Both ways at the end of the longest.
void FaultInjector::heal(Actor node) {
  if (world_.now() < cut_until_[node]) return;
  world_.heal(node, actor_server);
  world_.heal(actor_server, node);
}

// By the rule in force now: the one that armed the crash may have ended in between.
void FaultInjector::crash(Actor node) {
  const NodeFaults faults = world_.faults().nodes(world_.now(), node);
  const bool power = world_.choices().chance(Site::crash_kind, node, faults.power_loss);
  world_.crash(node, power);
  const DurationUs down =
      world_.choices().between(Site::crash_down, node, faults.down.low_us, faults.down.high_us);
  world_.scheduler().at(world_.now() + down, restart_, node);
}

void FaultInjector::Restart::run(std::uint64_t node) { world_.restart(static_cast<Actor>(node)); }

}  // namespace cohsim
