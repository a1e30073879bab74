// After a settle every L1 and L2 row carries the source of truth's value, or is absent. A frame too short for a version
// carries no value.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"
#include "properties/oracles/writes.h"

namespace cohsim::oracles {

namespace {

class ValuesConverge final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "values_converge"; }

  void on(const When& when, const event::Committed& event) override { note_write(writes_, when, event); }

  void finish(bool settled) override {
    if (!settled) return;
    for (const auto& [key, writes] : writes_) {
      exercise();
      if (const auto row = world().l2_row(key.table, key.id)) {
        const std::string_view frame = row->bytes;
        if (frame.size() < version_size) {
          violate_at_end(fmt::format("after the settle L2 holds {} bytes for {}, too few for a frame", frame.size(), key.id));
        } else {
          judge("L2", key, frame.substr(version_size), writes);
        }
      }
      for (std::size_t i = 0; i < world().node_count(); ++i) {
        const auto node = static_cast<Actor>(actor_first_node + i);
        if (!world().node_up(node)) continue;
        const L1Row* row = world().l1_row(node, key.table, key.id);
        if (row != nullptr) judge(fmt::format("L1 of {}", world().actor_name(node)), key, row->value, writes);
      }
    }
  }

 private:
  void judge(std::string_view where, const NameKey& key, std::string_view value, const NameWrites& writes) {
    if (value == writes.last().value) return;
    violate_at_end(fmt::format("after the settle {} holds value {} for {} of {}, the source of truth {} (commit {})", where,
                               quote(value), key.id, world().scenario().tables[key.table].name, quote(writes.last().value),
                               writes.last().serial));
  }

  Writes writes_;
};

}  // namespace

std::unique_ptr<Oracle> make_values_converge(const WorldView& world) {
  return std::make_unique<ValuesConverge>(world);
}

}  // namespace cohsim::oracles
