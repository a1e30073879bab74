// Which table and which node a job queue serves, by its name, for oracles that follow jobs.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "model/world_view.h"

namespace cohsim::oracles {

class Queues {
 public:
  struct Serves {
    std::uint16_t table = 0;
    Actor node = 0;  ///< 0: whichever node claims
  };
  explicit Queues(const WorldView& world) {
    const Scenario& scenario = world.scenario();
    for (std::uint16_t table = 0; table < scenario.tables.size(); ++table) {
      const std::string queue = "ecc.coh." + scenario.tables[table].name;
      if (scenario.design.fanout == Fanout::shared) served_[queue] = {table, 0};
      if (scenario.design.fanout != Fanout::per_node) continue;
      for (std::size_t i = 0; i < world.node_count(); ++i) {
        const auto node = static_cast<Actor>(actor_first_node + i);
        served_[queue + "." + std::string(world.actor_name(node))] = {table, node};
      }
    }
  }
  /// Null: no queue of a table.
  [[nodiscard]] const Serves* find(std::string_view queue) const {
    const auto found = served_.find(queue);
    return found == served_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, Serves, std::less<>> served_;
};

}  // namespace cohsim::oracles
