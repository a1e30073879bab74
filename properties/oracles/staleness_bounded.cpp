// No read that began at t returns a value superseded before t - bound. The bound is ttl * (2 + jitter): a whole life in L2,
// then a whole life in L1; plus the longest flight of the table so far, those included that are under way (their SET may have
// run) and those that died with their node, and the lag of the replica that loads came from. A scenario's `staleness_bound`
// stands in place of all this. Time spent in a settle is added: expiry stands still in it; and so are a node's pauses, in
// which its monotonic clock does. Rows of a node whose clock runs slow live longer, by its drift.
#include <algorithm>

#include "properties/oracles/all.h"
#include "properties/oracles/support.h"
#include "properties/oracles/writes.h"

namespace cohsim::oracles {

namespace {

class StalenessBounded final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "staleness_bounded"; }

  void on(const When& when, const event::Committed& event) override { note_write(writes_, when, event); }
  void on(const When& when, const event::SettleBegan&) override { settling_since_ = when.at; }
  void on(const When& when, const event::SettleEnded&) override {
    if (settling_since_ >= 0) suspended_us_ += when.at - settling_since_;
    settling_since_ = -1;
  }
  void on(const When& when, const event::FlightBegan& event) override { flights_[name_at(event)] = when.at; }
  void on(const When& when, const event::FlightEnded& event) override {
    const TimeUs* began = flights_.find(name_at(event));
    if (began == nullptr) return;
    flew(event.table.index, when.at - *began);
    flights_.erase(name_at(event));
  }
  void on(const When& when, const event::NodeCrashed& event) override {
    for (const auto& [key, began] : flights_) {
      if (key.node == event.node) flew(key.table, when.at - began);
    }
    flights_.erase_node(event.node);
  }
  void on(const When&, const event::NodePaused& event) override { paused_us_ += event.span_us; }
  void on(const When&, const event::ClockDrifts& event) override { slowest_ppm_ = std::min(slowest_ppm_, event.ppm); }
  void on(const When&, const event::LoaderStruck& event) override {
    if (event.what == "stale") lag_us_ = std::max(lag_us_, event.by_us);
  }

  void on(const When& when, const event::FetchEnded& event) override {
    if (!event.value || settling_since_ >= 0) return;
    const NameWrites* writes = writes_.find({0, event.table.index, event.id});
    const Write* read = writes == nullptr ? nullptr : writes->of_value(*event.value);
    if (read == nullptr) return;
    exercise();
    const Write* next = writes->after(*read);
    if (next == nullptr) return;
    const DurationUs bound_us = bound_at(when.at, event.table.index);
    if (next->at >= event.began - bound_us) return;
    violate(when, fmt::format("a read of {} at {} that began at {} us gave commit {}, superseded at {} us: {} us stale, the "
                              "bound is {} us",
                              event.id, world().actor_name(event.node), event.began, read->serial, next->at,
                              event.began - next->at, bound_us));
  }

 private:
  void flew(std::uint16_t table, DurationUs duration_us) {
    if (table >= longest_us_.size()) longest_us_.resize(table + std::size_t{1});
    longest_us_[table] = std::max(longest_us_[table], duration_us);
  }
  DurationUs bound_at(TimeUs now, std::uint16_t table) {
    if (world().scenario().staleness_bound_us != 0) return world().scenario().staleness_bound_us + suspended_us_ + paused_us_;
    const TableSettings& settings = world().scenario().tables[table];
    const DurationUs jitter_us = settings.ttl_us / 1000 * settings.jitter_ppm / 1000;
    DurationUs flight_us = table < longest_us_.size() ? longest_us_[table] : 0;
    for (const auto& [key, began] : flights_) {
      if (key.table == table) flight_us = std::max(flight_us, now - began);
    }
    constexpr std::int64_t million = 1'000'000;
    const DurationUs in_l1_us = (settings.ttl_us + jitter_us) * million / (million + slowest_ppm_) + 1;
    return settings.ttl_us + in_l1_us + flight_us + lag_us_ + suspended_us_ + paused_us_;
  }

  Writes writes_;
  ByName<TimeUs> flights_;               // under way, and when each began
  std::vector<DurationUs> longest_us_;  // by table
  TimeUs settling_since_ = -1;
  DurationUs suspended_us_ = 0;
  DurationUs paused_us_ = 0, lag_us_ = 0;
  std::int64_t slowest_ppm_ = 0;
};

}  // namespace

std::unique_ptr<Oracle> make_staleness_bounded(const WorldView& world) {
  return std::make_unique<StalenessBounded>(world);
}

}  // namespace cohsim::oracles
