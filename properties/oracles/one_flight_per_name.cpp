// At most one flight per name and node is under way, and every waiter whose node lives gets its answer or its error. Waiters
// are judged at the end of a settled run, when every stopped operation has been resumed.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class OneFlightPerName final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "one_flight_per_name"; }

  void on(const When& when, const event::FlightBegan& event) override {
    exercise();
    std::uint64_t& open = open_[name_at(event)];
    if (open != 0) {
      violate(when, fmt::format("flight {} for {} of {} began at {} while flight {} was under way", event.flight, event.id,
                                event.table.name, world().actor_name(event.node), open));
    }
    open = event.flight;
    flights_[{event.node, event.flight}].open = true;
  }

  void on(const When&, const event::FlightJoined& event) override {
    flights_[{event.node, event.flight}].waiters.push_back(event.waiter);
  }

  void on(const When&, const event::FlightEnded& event) override {
    const std::uint64_t* open = open_.find(name_at(event));
    if (open != nullptr && *open == event.flight) open_.erase(name_at(event));
    const auto found = flights_.find({event.node, event.flight});
    if (found == flights_.end()) return;
    found->second.open = false;
    if (found->second.waiters.empty()) flights_.erase(found);
  }

  void on(const When&, const event::WaiterAnswered& event) override {
    const auto found = flights_.find({event.node, event.flight});
    if (found == flights_.end()) return;
    std::erase(found->second.waiters, event.waiter);
    if (found->second.waiters.empty() && !found->second.open) flights_.erase(found);
  }

  void on(const When&, const event::NodeCrashed& event) override { forget(event.node); }
  void on(const When&, const event::NodeLeft& event) override { forget(event.node); }

  void finish(bool settled) override {
    if (!settled) return;
    for (const auto& [key, flight] : flights_) {
      if (flight.waiters.empty()) continue;
      violate_at_end(fmt::format("waiter {} of flight {} at {} never got an answer; the flight {}", flight.waiters.front(),
                                 key.second, world().actor_name(key.first), flight.open ? "never ended" : "ended"));
      return;
    }
  }

 private:
  struct Flight {
    bool open = false;
    std::vector<std::uint64_t> waiters;  // not answered yet
  };

  void forget(Actor node) {
    open_.erase_node(node);
    std::erase_if(flights_, [&](const auto& flight) { return flight.first.first == node; });
  }

  ByName<std::uint64_t> open_;  // flight ids count from 1
  std::map<std::pair<Actor, std::uint64_t>, Flight> flights_;
};

}  // namespace

std::unique_ptr<Oracle> make_one_flight_per_name(const WorldView& world) {
  return std::make_unique<OneFlightPerName>(world);
}

}  // namespace cohsim::oracles
