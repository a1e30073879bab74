// Once a layer has processed (name, v), no fill that began earlier makes a version older than v visible there. L1 of a node
// has processed it when apply_coherence ran there, L2 when the script ran. A fill of L1 is an insertion by the node's flight
// for that name; a fill of L2 is a SET of a version that a flight minted when it began, and that no write committed. Under
// `fill_version = "source"`, where fills carry versions of writes, it is a SET by a request that a flight sent to fill.
#include <algorithm>

#include "properties/oracles/all.h"
#include "properties/oracles/support.h"
#include "properties/oracles/writes.h"

namespace cohsim::oracles {

namespace {

struct Flight {
  std::uint64_t number = 0;
  std::string processed;  // newest version that L1 processed since it began; empty: none
  std::uint64_t began = 0;
};

/// What L2 processed for one name: for any step, the newest version since. Older versions behind newer ones are dropped.
struct Processed {
  std::vector<std::pair<std::uint64_t, std::string>> newest;  // by step, versions falling

  void add(std::uint64_t step, std::string_view version) {
    while (!newest.empty() && !is_newer(newest.back().second, version)) newest.pop_back();
    newest.emplace_back(step, version);
  }
  const std::string* since(std::uint64_t step) const {
    const auto later = [](std::uint64_t at, const auto& entry) { return at < entry.first; };
    const auto found = std::upper_bound(newest.begin(), newest.end(), step, later);
    return found == newest.end() ? nullptr : &found->second;
  }
};

class FillsRespectInvalidations final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "fills_respect_invalidations"; }

  void on(const When& when, const event::FlightBegan& event) override {
    flights_[name_at(event)] = {event.flight, {}, when.step};
  }
  void on(const When& when, const event::FlightEnded& event) override {
    filling_.erase(fiber_key(when));
    const Flight* flight = flights_.find(name_at(event));
    if (flight != nullptr && flight->number == event.flight) flights_.erase(name_at(event));
  }
  void on(const When&, const event::NodeCrashed& event) override { flights_.erase_node(event.node); }
  void on(const When&, const event::CoherenceApplied& event) override {
    Flight* flight = flights_.find(name_at(event));
    if (flight == nullptr) return;
    if (flight->processed.empty() || is_newer(event.version, flight->processed)) flight->processed = event.version;
  }
  void on(const When& when, const event::L1Changed& event) override {
    if (event.why != L1Cause::fill || !event.after) return;
    const Flight* flight = flights_.find(name_at(event));
    if (flight == nullptr || flight->processed.empty()) return;
    exercise();
    if (!is_newer(flight->processed, *event.after)) return;
    violate(when, fmt::format("{} processed {} for {} of {} while flight {} was under way, which then put the older {} into L1",
                              world().actor_name(event.node), show(flight->processed), event.id, event.table.name,
                              flight->number, show(event.after)));
  }

  void on(const When& when, const event::Minted& event) override {
    if (const auto number = number_of(event.version)) minted_.emplace(*number, when.step);
  }
  /// A committed version is a write's, not a fill's.
  void on(const When&, const event::Committed& event) override {
    if (const auto number = number_of(event.version)) minted_.erase(*number);
  }
  /// A fill that gave way to an invalidation puts the property to the test as well.
  void on(const When&, const event::WriteRefused& event) override {
    const Flight* flight = flights_.find(name_at(event));
    if (event.what != "fill" || flight == nullptr) return;
    const Processed* l2 = processed_.find({0, event.table.index, event.id});
    const bool gave_way = event.layer == "l1" ? !flight->processed.empty() : l2 != nullptr && l2->since(flight->began);
    if (gave_way) exercise();
  }
  void on(const When& when, const event::FillSent& event) override {
    const Flight* flight = flights_.find(name_at(event));
    if (flight != nullptr && flight->number == event.flight) filling_[fiber_key(when)] = flight->began;
  }
  void on(const When& when, const event::RequestSent& event) override {
    if (filling_.empty()) return;
    const auto found = filling_.find(fiber_key(when));
    if (found != filling_.end()) fills_[event.request] = found->second;
  }
  void on(const When& when, const event::RequestRan& event) override { ran_ = {when.step, event.request}; }
  void on(const When& when, const event::ScriptRan& event) override {
    if (!event.endless) processed_[{0, event.table.index, event.id}].add(when.step, event.argument);
  }
  void on(const When& when, const event::RowChanged& event) override {
    if (!event.ours || event.after == nullptr || event.cause != "SET") return;
    const auto number = number_of(event.after->bytes);
    if (!number) return;
    const auto minted = minted_.find(*number);
    const std::uint64_t began = minted != minted_.end() ? minted->second : sent_fill(when);
    if (began == 0) return;
    const Processed* processed = processed_.find({0, event.table.index, event.id});
    const std::string* newest = processed == nullptr ? nullptr : processed->since(began);
    if (newest == nullptr) return;
    exercise();
    if (!is_newer(*newest, event.after->bytes)) return;
    violate(when, fmt::format("L2 processed {} for {} of {} after a fill had begun with {}, and that fill then wrote its row",
                              show(*newest), event.id, event.table.name, show(event.after->bytes)));
  }

 private:
  /// The step in which the flight began whose request is running; 0: the one that runs fills nothing.
  std::uint64_t sent_fill(const When& when) const {
    if (ran_.first != when.step) return 0;
    const auto found = fills_.find(ran_.second);
    return found == fills_.end() ? 0 : found->second;
  }

  ByName<Flight> flights_;
  std::map<FiberKey, std::uint64_t> filling_;     // fibers of flights that write, and the step in which each flight began
  std::map<std::uint64_t, std::uint64_t> fills_;  // requests of these, likewise
  std::pair<std::uint64_t, std::uint64_t> ran_;   // the request that ran last: its step and number
  std::map<std::uint64_t, std::uint64_t> minted_;  // step in which a version, not committed since, was minted
  ByName<Processed> processed_;                    // node 0
};

}  // namespace

std::unique_ptr<Oracle> make_fills_respect_invalidations(const WorldView& world) {
  return std::make_unique<FillsRespectInvalidations>(world);
}

}  // namespace cohsim::oracles
