// After a settle every live node has processed, or holds no row older than, every announced version. Announced is what was
// sent on the broadcast lane or enqueued, or what a write that ended well was told to announce.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class EveryNodeHears final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "every_node_hears"; }

  void on(const When&, const event::MessageSent& event) override {
    if (event.lane == 1) announced(event.table.index, event.bytes);
  }
  void on(const When&, const event::WriteEnded& event) override {
    if (event.ok && world().scenario().tables[event.table.index].lane != Lane::none) {
      raise(announced_[{0, event.table.index, event.id}], event.version);
    }
  }
  void on(const When&, const event::JournalAttempted& event) override {
    if (event.write != JournalWrite::mark_enqueued) return;
    for (const auto& intent : *event.intents) raise(announced_[{0, event.table.index, intent.name}], intent.version);
  }
  void on(const When&, const event::CoherenceApplied& event) override {
    raise(processed_[name_at(event)], event.version);
  }
  void on(const When&, const event::JournalCallEnded& event) override {
    if (event.verdict == JournalVerdict::remembered_stale) raise(processed_[name_at(event)], event.version);
  }
  void on(const When&, const event::NodeCrashed& event) override { processed_.erase_node(event.node); }

  void finish(bool settled) override {
    if (!settled) return;
    for (const auto& [key, version] : announced_) {
      for (std::size_t i = 0; i < world().node_count(); ++i) {
        const auto node = static_cast<Actor>(actor_first_node + i);
        if (world().node_up(node)) judge(node, key, version);
      }
    }
  }

 private:
  static void raise(std::string& newest, std::string_view version) {
    if (newest.empty() || is_newer(version, newest)) newest = version;
  }
  void announced(std::uint16_t table, std::string_view bytes) {
    if (const auto message = read_message(bytes)) raise(announced_[{0, table, message->id}], message->version);
  }
  void judge(Actor node, const NameKey& key, const std::string& version) {
    exercise();
    const L1Row* row = world().l1_row(node, key.table, key.id);
    if (row == nullptr || !is_newer(version, row->version)) return;
    const std::string* processed = processed_.find({node, key.table, key.id});
    if (processed != nullptr && !is_newer(version, *processed)) return;
    violate_at_end(fmt::format("{} of {} was announced at {}; after the settle {} still holds {} and has processed {}", key.id,
                               world().scenario().tables[key.table].name, show(version), world().actor_name(node),
                               show(row->version), processed ? show(*processed) : "nothing for it"));
  }

  ByName<std::string> announced_;  // newest, node 0
  ByName<std::string> processed_;  // newest in this life of the node
};

}  // namespace

std::unique_ptr<Oracle> make_every_node_hears(const WorldView& world) {
  return std::make_unique<EveryNodeHears>(world);
}

}  // namespace cohsim::oracles
