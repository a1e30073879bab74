// For tests of oracles only: a world of two nodes and two tables without any model behind it, and a feed of events.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "model/identity.h"
#include "properties/oracle.h"
#include "properties/oracles/all.h"

namespace cohsim::oracles {

inline constexpr Actor node_a = 2, node_b = 3;
inline constexpr TableRef users{0, "users"}, money{1, "money"};

/// A version of a table's own kind: v(2) is newer than v(1).
inline std::string v(std::uint64_t number, std::string_view kind = "USR") { return brand(kind, number << 22); }
inline const std::string& id_of_users() {
  static const std::string id = v(1000);
  return id;
}

class FakeWorld final : public WorldView {
 public:
  FakeWorld() {
    scenario_.nodes = {"a", "b"};
    scenario_.tables.resize(2);
    scenario_.tables[0].name = "users";
    scenario_.tables[0].kind = "USR";
    scenario_.tables[1].name = "money";
    scenario_.tables[1].kind = "WAL";
    scenario_.tables[1].lane = Lane::job;
  }
  const Scenario& scenario() const override { return scenario_; }
  TimeUs now() const override { return now_; }
  std::size_t node_count() const override { return 2; }
  std::string_view actor_name(Actor actor) const override {
    static constexpr std::string_view names[] = {"world", "valkey", "a", "b"};
    return actor < 4 ? names[actor] : "?";
  }
  bool node_up(Actor node) const override { return !down_.contains(node); }
  bool node_left(Actor) const override { return false; }
  const L1Row* l1_row(Actor node, std::uint16_t table, std::string_view id) const override {
    const auto found = l1_.find({node, table, std::string(id)});
    return found == l1_.end() ? nullptr : &found->second;
  }
  std::vector<std::string> l1_ids(Actor node, std::uint16_t table) const override {
    std::vector<std::string> ids;
    for (const auto& [key, row] : l1_) {
      if (std::get<0>(key) == node && std::get<1>(key) == table) ids.push_back(std::get<2>(key));
    }
    return ids;
  }
  std::optional<valkey::Row> l2_row(std::uint16_t table, std::string_view id) const override {
    const auto found = l2_.find({table, std::string(id)});
    return found == l2_.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<std::pair<std::string, valkey::Row>> l2_rows() const override { return {}; }
  const Truth* truth(std::uint16_t, std::string_view id) const override {
    const auto found = truth_.find(id);
    return found == truth_.end() ? nullptr : &found->second;
  }
  const JournalContents* journal(Actor node, std::uint16_t) const override {
    const auto found = journals_.find(node);
    return found == journals_.end() ? nullptr : &found->second;
  }
  Counters counters(Actor, std::uint16_t) const override { return {}; }
  std::vector<JobView> jobs() const override { return {}; }

  Scenario scenario_;
  TimeUs now_ = 0;
  std::set<Actor> down_;
  std::map<std::tuple<Actor, std::uint16_t, std::string>, L1Row> l1_;
  std::map<std::pair<std::uint16_t, std::string>, valkey::Row> l2_;
  std::map<Actor, JournalContents> journals_;  // of money
  std::map<std::string, Truth, std::less<>> truth_;
};

/// One oracle and what it is told. Each event is a step of its own unless `same_step`.
struct Watch {
  std::unique_ptr<FakeWorld> held = std::make_unique<FakeWorld>();  // stays where it is when a Watch moves
  FakeWorld& world = *held;
  std::unique_ptr<Oracle> oracle;
  std::uint64_t step = 0;
  FiberId fiber{1, 1};

  explicit Watch(std::unique_ptr<Oracle> (*make)(const WorldView&)) { oracle = make(world); }
  /// For oracles that read the scenario when they are made.
  Watch(std::unique_ptr<Oracle> (*make)(const WorldView&), void (*prepare)(FakeWorld&)) {
    prepare(world);
    oracle = make(world);
  }

  template <class Event>
  Watch& operator()(const Event& event, bool same_step = false) {
    if (!same_step) ++step;
    world.now_ = static_cast<TimeUs>(step) * us_per_ms;
    oracle->on(When{step, world.now_, node_a, fiber}, event);
    return *this;
  }
  Watch& in(std::uint32_t index) {
    fiber = {index, 1};
    return *this;
  }
  bool violated() const { return oracle->violation().has_value(); }
  std::string sentence() const { return violated() ? oracle->violation()->sentence : std::string(); }
  bool holds() const { return !violated() && oracle->exercised() > 0; }
};

}  // namespace cohsim::oracles
