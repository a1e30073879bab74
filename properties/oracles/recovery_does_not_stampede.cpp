// After faults stop, loads of the source of truth stay within nodes * live names per ttl. Counted is one table at a time,
// in a window of its ttl that begins anew with every fault which takes rows or connections away, steps a clock, holds a node
// up or makes a load go wrong; a flight
// that began before it is not counted.
//
// - A load is what a flight ended with, or what L2 refused to take; names that do not exist are left out, since no cache
//   keeps their absence. Live is a name that was asked for within the ttl.
// - Whoever removes a row on purpose asks for it to be loaded again, once at each node: an admin's invalidate (in each
//   layer: rather too much is granted than too little), a raw DEL, and a message that removes a row which is behind the
//   source of truth. One that removes a row with the value that the source of truth holds asks for nothing: loading it
//   again is the stampede. So is loading what no layer keeps: a late message that voids a lease.
#include <deque>

#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class RecoveryDoesNotStampede final : public Oracle {
 public:
  explicit RecoveryDoesNotStampede(const WorldView& world) : Oracle(world), tables_(world.scenario().tables.size()) {}
  using Oracle::on;
  std::string_view property() const override { return "recovery_does_not_stampede"; }

  void on(const When& when, const event::NodeStarted& event) override {
    if (event.again) fault(when, "a node started again");
  }
  void on(const When& when, const event::NodeCrashed& event) override {
    fault(when, "a node crashed");
    flights_.erase_node(event.node);
  }
  void on(const When& when, const event::OwnerDied& event) override {
    fault(when, "an owner died");
    flights_.erase_table(event.node, event.table.index);
  }
  void on(const When& when, const event::ClockStepped&) override { fault(when, "a clock was stepped"); }
  void on(const When& when, const event::NodePaused&) override { fault(when, "a node stood still"); }
  void on(const When& when, const event::LoaderStruck&) override { fault(when, "a load went wrong"); }
  void on(const When& when, const event::Partitioned&) override { fault(when, "a partition"); }
  void on(const When& when, const event::ConnectionBroke&) override { fault(when, "a connection broke"); }
  void on(const When& when, const event::ConnectionUp&) override { fault(when, "a connection came up"); }
  void on(const When& when, const event::ServerRestarted&) override { fault(when, "the server restarted"); }
  void on(const When& when, const event::ServerFailedOver&) override { fault(when, "the server failed over"); }

  void on(const When& when, const event::RowChanged& event) override {
    if (event.cause == "evicted") fault(when, "a row was evicted");
    const bool kept = event.after != nullptr && event.after->bytes.size() >= version_size;
    if (!event.ours || kept || event.cause == "expired" || event.cause == "evicted" || event.cause == "restart" ||
        event.cause == "failover") {
      return;
    }
    tables_[event.table.index].asked_again.push_back(when.at);
    removed_step_ = when.step;
  }
  void on(const When& when, const event::L1Changed& event) override {
    if (event.why == L1Cause::invalidate) tables_[event.table.index].asked_again.push_back(when.at);
  }
  /// It was the script's DEL, just before in the same step.
  void on(const When& when, const event::ScriptRan& event) override {
    if (removed_step_ != when.step || event.before == nullptr || event.after != nullptr) return;
    const Truth* truth = world().truth(event.table.index, event.id);
    const std::string_view row = event.before->bytes;
    const bool behind = row.size() < version_size || truth == nullptr || row.substr(version_size) != truth->value;
    std::deque<TimeUs>& asked = tables_[event.table.index].asked_again;
    if (!behind && !asked.empty()) asked.pop_back();
    removed_step_ = 0;
  }

  void on(const When& when, const event::FlightBegan& event) override {
    asked_for(when, event.table.index, event.id);
    flights_[name_at(event)] = {when.step};
  }
  void on(const When& when, const event::FetchEnded& event) override {
    if (event.value) asked_for(when, event.table.index, event.id);
  }
  void on(const When&, const event::WriteRefused& event) override {
    Flight* flight = flights_.find(name_at(event));
    if (flight != nullptr && event.what == "fill" && event.layer == "l2") flight->refused = true;
  }
  void on(const When& when, const event::FlightEnded& event) override {
    const Flight* flight = flights_.find(name_at(event));
    const bool loaded = event.outcome == FetchOutcome::loaded || (flight != nullptr && flight->refused);
    const bool earlier = flight == nullptr || flight->began < fault_step_;
    flights_.erase(name_at(event));
    if (!loaded || earlier || last_fault_.empty()) return;
    Counted& table = tables_[event.table.index];
    table.loads.push_back(when.at);
    exercise();
    const DurationUs ttl_us = world().scenario().tables[event.table.index].ttl_us;
    forget(table, when.at - ttl_us);
    const std::size_t bound = world().node_count() * (table.live.size() + table.asked_again.size());
    if (table.loads.size() <= bound) return;
    violate(when, fmt::format("{} loads of {} from the source of truth within its ttl of {} us, the last for {} by {}; {} nodes "
                              "and {} live names make {} at most (the last fault: {} at {} us)",
                              table.loads.size(), event.table.name, ttl_us, event.id, world().actor_name(event.node),
                              world().node_count(), table.live.size(), bound, last_fault_, fault_at_));
  }

 private:
  struct Flight {
    std::uint64_t began = 0;  // step
    bool refused = false;     // L2 refused what it had loaded
  };
  struct Counted {
    std::deque<TimeUs> loads, asked_again;             // of the last ttl
    std::map<std::string, TimeUs, std::less<>> live;   // when it was asked for last
    std::deque<std::pair<TimeUs, std::string>> asked;  // in order of time; outdated where `live` says later
  };

  void fault(const When& when, std::string_view what) {
    last_fault_ = what;
    fault_at_ = when.at;
    fault_step_ = when.step;
    for (Counted& table : tables_) {
      table.loads.clear();
      table.asked_again.clear();
    }
  }
  void asked_for(const When& when, std::uint16_t index, std::string_view id) {
    Counted& table = tables_[index];
    forget(table, when.at - world().scenario().tables[index].ttl_us);
    table.live.insert_or_assign(std::string(id), when.at);
    table.asked.emplace_back(when.at, id);
  }
  static void forget(Counted& table, TimeUs until) {
    while (!table.loads.empty() && table.loads.front() <= until) table.loads.pop_front();
    while (!table.asked_again.empty() && table.asked_again.front() <= until) table.asked_again.pop_front();
    for (; !table.asked.empty() && table.asked.front().first <= until; table.asked.pop_front()) {
      const auto found = table.live.find(table.asked.front().second);
      if (found != table.live.end() && found->second <= until) table.live.erase(found);
    }
  }

  std::vector<Counted> tables_;
  ByName<Flight> flights_;           // under way
  std::uint64_t removed_step_ = 0;   // the step in which a row was removed last
  std::string_view last_fault_;
  TimeUs fault_at_ = 0;
  std::uint64_t fault_step_ = 0;
};

}  // namespace

std::unique_ptr<Oracle> make_recovery_does_not_stampede(const WorldView& world) {
  return std::make_unique<RecoveryDoesNotStampede>(world);
}

}  // namespace cohsim::oracles
