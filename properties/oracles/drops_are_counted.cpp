// Sent + duplicated = delivered + in flight + drops by cause, per lane and receiver. Every message is followed by its id: it
// ends once, as delivered or dropped, where it was sent to; after a settle only held ones are under way. One that a full ring
// refused may end by RingOffered alone, which carries no id: so many may be missing at the end. What a ring accepted comes
// out of it when it is drained, or dies with its node: one that made room for another is a drop that nobody counts.
#include <array>

#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class DropsAreCounted final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "drops_are_counted"; }

  void on(const When& when, const event::MessageSent& event) override { begins(when, event, "sent"); }
  void on(const When& when, const event::MessageDuplicated& event) override { begins(when, event, "duplicated"); }
  void on(const When& when, const event::MessageDelivered& event) override { ends(when, event, "delivered"); }
  void on(const When& when, const event::MessageDropped& event) override { ends(when, event, "dropped"); }
  void on(const When&, const event::MessageHeld& event) override {
    if (const auto found = under_way_.find(event.message); found != under_way_.end()) found->second.held = true;
  }
  void on(const When&, const event::RingOffered& event) override {
    if (!event.accepted && event.node < max_actors) ++refused_[event.node];
    if (event.accepted) ++in_ring_[journal_key(event.node, event.table.index)];
  }
  void on(const When& when, const event::RingDrained& event) override {
    std::uint64_t& accepted = in_ring_[journal_key(event.node, event.table.index)];
    if (event.count != accepted) {
      violate(when, fmt::format("the ring of {} at {} accepted {} messages and gave {}: the others are neither delivered nor "
                                "counted as dropped",
                                event.table.name, world().actor_name(event.node), accepted, event.count));
    }
    accepted = 0;
  }
  void on(const When&, const event::NodeCrashed& event) override {
    std::erase_if(in_ring_, [&](const auto& ring) { return ring.first >> 16 == event.node; });
  }

  void finish(bool settled) override {
    if (!settled) return;
    std::array<std::uint64_t, max_actors> refused = refused_;
    for (const auto& [message, way] : under_way_) {
      if (way.held) continue;
      if (way.lane == 1 && way.to < max_actors && refused[way.to] > 0) {
        --refused[way.to];
        continue;
      }
      violate_at_end(fmt::format("message {} to {} by the {} lane was neither delivered nor dropped: sent and duplicated "
                                 "to it were {}, delivered {}, dropped {}",
                                 message, world().actor_name(way.to), lane_name(way.lane), count(way, 0), count(way, 1),
                                 count(way, 2)));
      return;
    }
  }

 private:
  struct Way {
    Actor to;
    std::uint8_t lane;
    bool held;
  };

  template <class Event>
  void begins(const When& when, const Event& event, std::string_view what) {
    exercise();
    const bool fresh = under_way_.emplace(event.message, Way{event.to, event.lane, false}).second;
    if (fresh) return tally(event, 0);
    violate(when, fmt::format("message {} to {} was {} although it is under way", event.message,
                              world().actor_name(event.to), what));
  }
  template <class Event>
  void ends(const When& when, const Event& event, std::string_view what) {
    const auto found = under_way_.find(event.message);
    if (found == under_way_.end()) {
      violate(when, fmt::format("message {} to {} by the {} lane was {}, but it is not under way: never sent, or ended before",
                                event.message, world().actor_name(event.to), lane_name(event.lane), what));
      return;
    }
    if (found->second.to != event.to || found->second.lane != event.lane) {
      violate(when, fmt::format("message {} was sent to {} by the {} lane and {} at {} by the {} lane", event.message,
                                world().actor_name(found->second.to), lane_name(found->second.lane), what,
                                world().actor_name(event.to), lane_name(event.lane)));
    }
    tally(event, what == "delivered" ? 1 : 2);
    under_way_.erase(found);
  }
  template <class Event>
  void tally(const Event& event, std::size_t what) {
    if (event.lane < 3 && event.to < max_actors) ++counts_[event.lane][event.to][what];
  }
  std::uint64_t count(const Way& way, std::size_t what) const {
    return way.lane < 3 && way.to < max_actors ? counts_[way.lane][way.to][what] : 0;
  }

  std::map<std::uint64_t, Way> under_way_;
  std::array<std::array<std::array<std::uint64_t, 3>, max_actors>, 3> counts_{};
  std::array<std::uint64_t, max_actors> refused_{};
  std::map<JournalKey, std::uint64_t> in_ring_;  // accepted since it was drained, by node and table
};

}  // namespace

std::unique_ptr<Oracle> make_drops_are_counted(const WorldView& world) {
  return std::make_unique<DropsAreCounted>(world);
}

}  // namespace cohsim::oracles
