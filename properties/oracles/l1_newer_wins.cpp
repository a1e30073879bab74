// A coherence message removes an L1 row only if it is newer than that row. Judged by what CoherenceApplied reports and by
// the row that L1Changed says went in the same step.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class L1NewerWins final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "l1_newer_wins"; }

  void on(const When& when, const event::L1Changed& event) override {
    if (event.why != L1Cause::coherence || !event.before || event.after == event.before) return;
    gone_ = {when.step, event.node, event.table.index, std::string(event.id), std::string(*event.before)};
  }

  void on(const When& when, const event::CoherenceApplied& event) override {
    const bool same_step = gone_.step == when.step && gone_.node == event.node && gone_.table == event.table.index &&
                           gone_.id == event.id;
    if (event.row) {
      exercise();
      if (event.kept != event.row) judge(when, event, *event.row);
    }
    if (same_step && event.verdict == Verdict::applied) {
      judge(when, event, gone_.version);
      gone_ = {};
    }
  }

 private:
  void judge(const When& when, const event::CoherenceApplied& event, std::string_view row) {
    if (is_newer(event.version, row)) return;
    violate(when, fmt::format("{} held {} of {} at version {}, a message by the {} lane carried {}, which is not newer: "
                              "the row went",
                              world().actor_name(event.node), event.id, event.table.name, show(row),
                              lane_name(event.lane), show(event.version)));
  }

  struct Gone {
    std::uint64_t step = 0;
    Actor node = 0;
    std::uint16_t table = 0;
    std::string id, version;
  } gone_;
};

}  // namespace

std::unique_ptr<Oracle> make_l1_newer_wins(const WorldView& world) {
  return std::make_unique<L1NewerWins>(world);
}

}  // namespace cohsim::oracles
