// Reads of one name at one node never go back to an older write, without a crash of that node in between. Reads that overlap
// may end in any order: one is held against those only that had ended before it began.
#include "properties/oracles/all.h"
#include "properties/oracles/reads.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class ReadsAreMonotonic final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "reads_are_monotonic"; }

  void on(const When& when, const event::Committed& event) override { note_write(writes_, when, event); }
  void on(const When&, const event::NodeCrashed& event) override { read_.erase_node(event.node); }
  void on(const When& when, const event::FetchEnded& event) override {
    if (!event.value) return;
    const NameWrites* writes = writes_.find({0, event.table.index, event.id});
    const Write* read = writes == nullptr ? nullptr : writes->of_value(*event.value);
    if (read == nullptr) return;
    Floors& floors = read_[name_at(event)];
    const std::uint64_t least = floors.before(event.began);
    if (least != 0) {
      exercise();
      if (read->serial < least) {
        violate(when, fmt::format("{} had read commit {} of {}, and a later read gave commit {}, value {}",
                                  world().actor_name(event.node), least, event.id, read->serial, quote(*event.value)));
      }
    }
    floors.raise(when.at, read->serial);
  }

 private:
  Writes writes_;
  ByName<Floors> read_;
};

}  // namespace

std::unique_ptr<Oracle> make_reads_are_monotonic(const WorldView& world) {
  return std::make_unique<ReadsAreMonotonic>(world);
}

}  // namespace cohsim::oracles
