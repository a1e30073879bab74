// Every visible frame is one write's version and value, or a fill's minted version over a value that was written, older than
// every write that it did not see. Judged when a frame appears, and against the frames that stand when a write commits.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"
#include "properties/oracles/writes.h"

namespace cohsim::oracles {

namespace {

class FramesAreAuthentic final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "frames_are_authentic"; }

  void on(const When&, const event::Minted& event) override {
    if (const auto number = number_of(event.version)) minted_.emplace(*number, event.node);
  }
  void on(const When& when, const event::Committed& event) override {
    note_write(writes_, when, event);
    const NameKey key{0, event.table.index, std::string(event.id)};
    if (const auto row = world().l2_row(key.table, key.id)) judge(when, "L2", key, row->bytes);
    for (std::size_t i = 0; i < world().node_count(); ++i) {
      const auto node = static_cast<Actor>(actor_first_node + i);
      if (!world().node_up(node)) continue;
      if (const L1Row* row = world().l1_row(node, key.table, key.id)) judge_parts(when, "L1", key, row->version, row->value);
    }
  }
  void on(const When& when, const event::L1Changed& event) override {
    if (!event.after || !event.value) return;
    judge_parts(when, "L1", {event.node, event.table.index, std::string(event.id)}, *event.after, *event.value);
  }
  void on(const When& when, const event::RowChanged& event) override {
    if (!event.ours || event.after == nullptr) return;
    judge(when, "L2", {0, event.table.index, std::string(event.id)}, event.after->bytes);
  }

 private:
  /// Frames too short for a version show nothing: a fetch refuses them.
  void judge(const When& when, std::string_view where, const NameKey& key, std::string_view frame) {
    if (frame.size() < version_size) return;
    judge_parts(when, where, key, frame.substr(0, version_size), frame.substr(version_size));
  }

  void judge_parts(const When& when, std::string_view where, const NameKey& key, std::string_view version,
                   std::string_view value) {
    exercise();
    const auto blame = [&](std::string_view what) {
      violate(when, fmt::format("{} shows {} of {} with version {} and value {}: {}", where, key.id,
                                world().scenario().tables[key.table].name, show(version), quote(value), what));
    };
    const NameWrites* writes = writes_.find({0, key.table, key.id});
    const Write* write = writes == nullptr ? nullptr : writes->of_version(version);
    if (write != nullptr) {
      if (write->value != value) blame(fmt::format("that version was written with value {}", quote(write->value)));
      return;
    }
    const Write* seen = writes == nullptr ? nullptr : writes->of_value(value);
    const auto number = number_of(version);
    if (seen == nullptr) return blame("nobody wrote that value");
    if (!number || !minted_.contains(*number)) return blame("nobody minted that version");
    if (const Write* unseen = writes->later_but_not_newer(*seen, version)) {
      blame(fmt::format("it does not know commit {}, whose version {} is not newer", unseen->serial, show(unseen->version)));
    }
  }

  Writes writes_;
  std::map<std::uint64_t, Actor> minted_;
};

}  // namespace

std::unique_ptr<Oracle> make_frames_are_authentic(const WorldView& world) {
  return std::make_unique<FramesAreAuthentic>(world);
}

}  // namespace cohsim::oracles
