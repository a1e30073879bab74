// Compaction removes only intents that the applied memory of this node covers: an applied version of the name at least as
// new, and, under per_node, a queue that is this node's own. Memory counts from when it was handed to the disk.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class CompactionKeepsUncovered final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "compaction_keeps_uncovered"; }

  void on(const When& when, const event::JournalAttempted& event) override {
    memory_.on(event);
    if (event.write != JournalWrite::compact || event.intents == nullptr) return;
    for (const JournalContents::Intent& intent : *event.intents) {
      exercise();
      const std::string* applied = memory_.attempted({event.node, event.table.index, intent.name});
      if (applied == nullptr || is_newer(intent.version, *applied)) {
        violate(when, fmt::format("compaction at {} removed intent {} ({} at {}), but its memory of the name is {}",
                                  world().actor_name(event.node), intent.job, intent.name, show(intent.version),
                                  applied ? show(*applied) : "none"));
      } else if (world().scenario().design.fanout == Fanout::per_node && !own(event.node, intent.queue)) {
        violate(when, fmt::format("compaction at {} removed intent {} ({} at {}), which is meant for queue {} of another node",
                                  world().actor_name(event.node), intent.job, intent.name, show(intent.version), intent.queue));
      }
    }
  }
  void on(const When&, const event::JournalCommitted& event) override { memory_.on(event); }
  void on(const When&, const event::JournalFailed& event) override { memory_.on(event); }
  void on(const When&, const event::JournalRecovered& event) override { memory_.on(event); }

 private:
  bool own(Actor node, std::string_view queue) const {
    const std::string_view name = world().actor_name(node);
    return queue.size() > name.size() && queue.ends_with(name) && queue[queue.size() - name.size() - 1] == '.';
  }

  AppliedMemory memory_;
};

}  // namespace

std::unique_ptr<Oracle> make_compaction_keeps_uncovered(const WorldView& world) {
  return std::make_unique<CompactionKeepsUncovered>(world);
}

}  // namespace cohsim::oracles
