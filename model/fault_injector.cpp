#include "model/fault_injector.h"

#include "model/world.h"

namespace cohsim {

FaultInjector::FaultInjector(World& world) : world_(world), restart_(world) {
  world.scheduler().on_countdown([this](Actor node) { crash(node); });
}

void FaultInjector::set_clocks() {
  const auto& offset = world_.scenario().faults.clocks.offset;
  if (!offset) return;
  for (const Actor node : world_.node_actors()) {
    world_.node(node).context().wall_offset_us =
        world_.choices().between(Site::clock_offset, node, offset->low_us, offset->high_us);
  }
}

void FaultInjector::start() {
  const Faults& faults = world_.scenario().faults;
  if (faults.nodes.crash == 0 && faults.clocks.step == 0) return;
  world_.scheduler().spawn(actor_world, loop(), 0, Scheduler::Duty::background);
}

Task<void> FaultInjector::loop() {
  for (;;) {
    for (const Actor node : world_.node_actors()) {
      if (world_.run_state().faults_on && world_.node(node).up()) strike(node);
    }
    co_await world_.scheduler().sleep(us_per_s);
  }
}

void FaultInjector::strike(Actor node) {
  const Faults& faults = world_.scenario().faults;
  Choices& choices = world_.choices();
  if (choices.chance(Site::crash, node, faults.nodes.crash)) {
    const std::uint64_t awaits = 1 + choices.choose(Site::crash_landing, node, landing_awaits);
    world_.scheduler().arm(node, awaits);
  }
  if (choices.chance(Site::clock_step, node, faults.clocks.step)) {
    const DurationRange& by = faults.clocks.step_by;
    world_.step_clock(node, choices.between(Site::clock_step_size, node, by.low_us, by.high_us));
  }
}

void FaultInjector::crash(Actor node) {
  const NodeFaults& faults = world_.scenario().faults.nodes;
  const bool power = world_.choices().chance(Site::crash_kind, node, faults.power_loss);
  world_.crash(node, power);
  const DurationUs down =
      world_.choices().between(Site::crash_down, node, faults.down.low_us, faults.down.high_us);
  world_.scheduler().at(world_.now() + down, restart_, node);
}

void FaultInjector::Restart::run(std::uint64_t node) { world_.restart(static_cast<Actor>(node)); }

}  // namespace cohsim
