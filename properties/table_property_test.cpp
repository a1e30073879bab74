// One node's table, one operation after the other and no faults, against a cache of two maps that anyone can check by eye.
#include <map>
#include <optional>
#include <vector>

#include "properties/generators.h"
#include "properties/rapid.h"
#include "properties/small_world.h"
#include "testing/catch.h"

using namespace cohsim;

namespace {

constexpr Actor node = SmallWorld::a;
constexpr int slot_s = 10, ttl_s = 25;    // operations stand at the beginning of slots of ten seconds
constexpr int lives_slots = ttl_s / slot_s;  // a row of slot k lives in the slots k … k + 2

struct Op {
  enum class Kind { put, fetch, invalidate, commit, apply, drop_l2, foreign, wait } kind = Kind::fetch;
  int name = 1;
  int slots = 0;       ///< how long to wait
  bool fresh = false;  ///< apply, drop_l2: with a version minted now, or with the one that the layer holds
};

void showValue(const Op& op, std::ostream& out) {
  constexpr const char* kinds[] = {"put", "fetch", "invalidate", "commit", "apply", "drop_l2", "foreign", "wait"};
  out << kinds[static_cast<int>(op.kind)] << ' ';
  if (op.kind == Op::Kind::wait) {
    out << op.slots << " slots";
  } else {
    out << op.name << (op.fresh ? " with a fresh version" : "");
  }
}

rc::Gen<Op> op() {
  using Kind = Op::Kind;
  return rc::gen::build<Op>(
      rc::gen::set(&Op::kind, rc::gen::weightedElement<Kind>({{4, Kind::put}, {8, Kind::fetch}, {1, Kind::invalidate},
                                                               {2, Kind::commit}, {3, Kind::apply}, {3, Kind::drop_l2},
                                                               {1, Kind::foreign}, {3, Kind::wait}})),
      rc::gen::set(&Op::name, rc::gen::inRange(1, 3)), rc::gen::set(&Op::slots, rc::gen::inRange(1, 5)),
      rc::gen::set(&Op::fresh, rc::gen::arbitrary<bool>()));
}

/// The reference: what both layers and the source of truth hold, and until which slot.
struct Reference {
  struct Row {
    std::string version, value;
    int last_slot;
  };
  using Layer = std::map<int, Row>;
  Layer l1, l2;
  std::map<int, std::string> truth;
  Counters counters;
  int slot = 0;

  void wait(int slots) {
    slot += slots;
    for (Layer* layer : {&l1, &l2}) {
      std::erase_if(*layer, [this](const auto& row) { return row.second.last_slot < slot; });
    }
  }
  void put(int name, const std::string& value, const std::string& version) {
    truth[name] = value;
    l1[name] = l2[name] = {version, value, slot + lives_slots};
  }
  /// `minted` counts where the row comes from the source of truth.
  std::pair<std::string, std::optional<Row>> fetch(int name, const std::string& minted) {
    if (l1.count(name) != 0) return ++counters.hits, std::pair("hit", std::optional(l1[name]));
    ++counters.misses;
    const bool in_l2 = l2.count(name) != 0;
    if (!in_l2 && truth.count(name) == 0) return {"absent", std::nullopt};
    if (!in_l2) l2[name] = {minted, truth[name], slot + lives_slots};
    ++(in_l2 ? counters.l2_hits : counters.fills);
    l1[name] = {l2[name].version, l2[name].value, slot + lives_slots};
    return {in_l2 ? "l2_hit" : "loaded", l1[name]};
  }
  /// A message about a name that says: older rows go. Only a fresh one is newer than what stands.
  bool apply(int name, bool fresh) {
    const bool applied = fresh && l1.erase(name) != 0;
    ++(applied ? counters.coh_applied : counters.coh_stale);
    return applied;
  }
  bool drop_l2(int name, bool fresh) { return fresh && l2.erase(name) != 0; }
};

Scenario scenario_of_table() {
  Scenario scenario = SmallWorld::scenario(Lane::none, 1);
  scenario.tables[0].ttl_us = ttl_s * us_per_s;
  scenario.design.version_kinds = {"WAL", "AAA", "ZZZ"};
  return scenario;
}

class Checked {
 public:
  explicit Checked(std::uint64_t seed) : small_(scenario_of_table(), seed) {}

  void run(const Op& op, Reached& reached) {
    const NameRef name{0, small_.id(op.name)};
    Steps& steps = small_.steps();
    const std::string value = "value " + std::to_string(++operations_);
    switch (op.kind) {
      case Op::Kind::put: reference_.put(op.name, value, *steps.put(node, name, value, {}).version); break;
      case Op::Kind::fetch: fetch(op.name, name, reached); break;
      case Op::Kind::invalidate:
        RC_ASSERT(steps.invalidate(node, name, {}).outcome == "ok");
        reference_.l1.erase(op.name);
        reference_.l2.erase(op.name);
        break;
      case Op::Kind::commit:
        steps.commit(name, value);
        reference_.truth[op.name] = value;
        break;
      case Op::Kind::apply: {
        const std::string version = version_for(op, reference_.l1);
        const auto answer = small_.run(node, small_.world().node(node).table(0)->apply_coherence(name.id, version));
        const bool applied = reference_.apply(op.name, op.fresh);
        reached.note(applied ? "applied" : "stale");
        RC_ASSERT(answer.answered);
        RC_ASSERT((answer.verdict == Verdict::applied) == applied);
        break;
      }
      case Op::Kind::drop_l2: {
        const std::string version = version_for(op, reference_.l2);
        const std::string outcome = steps.drop_l2(node, name, version, {}).outcome;
        RC_ASSERT(outcome == (reference_.drop_l2(op.name, op.fresh) ? "dropped" : "kept"));
        reached.note(outcome);
        break;
      }
      case Op::Kind::foreign: foreign(name.id); break;
      case Op::Kind::wait: wait(op.slots); break;
    }
    compare();
  }

 private:
  std::string version_for(const Op& op, const Reference::Layer& layer) {
    const auto row = layer.find(op.name);
    return op.fresh || row == layer.end() ? small_.steps().mint(node, "WAL") : row->second.version;
  }

  void fetch(int n, const NameRef& name, Reached& reached) {
    const OperationState state = small_.steps().fetch(node, name, {});
    const auto [outcome, row] = reference_.fetch(n, state.version.value_or(""));
    reached.note(outcome);
    RC_ASSERT(state.outcome == outcome);
    RC_ASSERT(state.value == (row ? std::optional(row->value) : std::nullopt));
    RC_ASSERT(state.version == (row ? std::optional(row->version) : std::nullopt));
  }

  // Every public verb refuses an id of another kind before it touches a layer.
  void foreign(const std::string& id) {
    const std::string other = "ZZZ" + id.substr(namespace_size);
    Table& table = *small_.world().node(node).table(0);
    RC_ASSERT(small_.run(node, table.fetch(other)).outcome == FetchOutcome::refused);
    RC_ASSERT_FALSE(small_.run(node, table.put(other, "value", other)));
    RC_ASSERT_FALSE(small_.run(node, table.invalidate(other)));
    RC_ASSERT_FALSE(small_.run(node, table.apply_coherence(other, other)).answered);
  }

  void wait(int slots) {
    slot_ += slots;
    small_.steps().advance(slot_ * slot_s * us_per_s - small_.world().now());
    reference_.wait(slots);
  }

  void compare() {
    World& world = small_.world();
    RC_ASSERT(world.now() < (slot_ + 1) * slot_s * us_per_s);
    for (int name = 1; name <= 2; ++name) {
      const L1Row* l1 = world.l1_row(node, 0, small_.id(name));
      const auto l2 = world.l2_row(0, small_.id(name));
      const auto expected_l1 = reference_.l1.find(name), expected_l2 = reference_.l2.find(name);
      RC_ASSERT((l1 != nullptr) == (expected_l1 != reference_.l1.end()));
      RC_ASSERT(l2.has_value() == (expected_l2 != reference_.l2.end()));
      if (l1 != nullptr) RC_ASSERT(l1->version + l1->value == expected_l1->second.version + expected_l1->second.value);
      if (l2) RC_ASSERT(l2->bytes == expected_l2->second.version + expected_l2->second.value);
    }
    const Counters is = world.counters(node, 0), expected = reference_.counters;
    RC_ASSERT(is.hits == expected.hits);
    RC_ASSERT(is.misses == expected.misses);
    RC_ASSERT(is.l2_hits == expected.l2_hits);
    RC_ASSERT(is.fills == expected.fills);
    RC_ASSERT(is.coh_applied == expected.coh_applied);
    RC_ASSERT(is.coh_stale == expected.coh_stale);
    RC_ASSERT(is.coalesced + is.full_skips + is.ring_dropped == 0U);
  }

  SmallWorld small_;
  Reference reference_;
  int slot_ = 0;
  int operations_ = 0;
};

}  // namespace

TEST_CASE("table: rows and counters are those of two maps and a source of truth") {
  Reached reached;
  check_property("table and reference agree after every operation", [&] {
    const auto seed = *rc::gen::arbitrary<std::uint16_t>();
    const auto ops = *rc::gen::container<std::vector<Op>>(op());
    Checked checked(seed);
    for (const Op& next : ops) checked.run(next, reached);
  }, {500, 100});
  reached.require({"hit", "l2_hit", "loaded", "absent", "applied", "stale", "dropped", "kept"});
}
