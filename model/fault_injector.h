// What strikes nodes by itself: crashes that land on a drawn await, restarts, pauses, clocks that step, subscribers cut off, partitions.
#pragma once

#include <array>

#include "model/scenario.h"
#include "sim/choices.h"
#include "sim/scheduler.h"

namespace cohsim {

class World;

class FaultInjector {
 public:
  /// A crash lands on one of this many next awaits of its node.
  static constexpr std::uint64_t landing_awaits = 40;

  explicit FaultInjector(World& world);
  /// Draws the clocks' offsets and drifts; before the nodes start.
  void set_clocks();
  /// Begins to strike, once a virtual second.
  void start();

 private:
  struct Restart final : Handler {
    explicit Restart(World& world) : world_(world) {}
    void run(std::uint64_t node) override;
    World& world_;
  };

  struct Heal final : Handler {
    explicit Heal(FaultInjector& injector) : injector_(injector) {}
    void run(std::uint64_t node) override { injector_.heal(static_cast<Actor>(node)); }
    FaultInjector& injector_;
  };

  Task<void> loop();
  void cut_off(Actor node, const ConnectionFaults& faults);
  void heal(Actor node);
  void strike(Actor node);
  void crash(Actor node);

  World& world_;
  Restart restart_;
  Heal heal_{*this};
  std::array<TimeUs, max_actors> cut_until_{};
};

}  // namespace cohsim
