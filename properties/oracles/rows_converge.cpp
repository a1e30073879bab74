// After a settle every L1 and L2 row's version is at least the newest committed for its name, or the row is absent.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"
#include "properties/oracles/writes.h"

namespace cohsim::oracles {

namespace {

class RowsConverge final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "rows_converge"; }

  void on(const When& when, const event::Committed& event) override { note_write(writes_, when, event); }

  void finish(bool settled) override {
    if (!settled) return;
    for (const auto& [key, writes] : writes_) {
      exercise();
      if (const auto row = world().l2_row(key.table, key.id); row && row->bytes.size() >= version_size) {
        judge("L2", key, row->bytes, writes);
      }
      for (std::size_t i = 0; i < world().node_count(); ++i) {
        const auto node = static_cast<Actor>(actor_first_node + i);
        if (!world().node_up(node)) continue;
        const L1Row* row = world().l1_row(node, key.table, key.id);
        if (row != nullptr) judge(fmt::format("L1 of {}", world().actor_name(node)), key, row->version, writes);
      }
    }
  }

 private:
  void judge(std::string_view where, const NameKey& key, std::string_view version, const NameWrites& writes) {
    if (!is_newer(writes.newest_version(), version)) return;
    violate_at_end(fmt::format("after the settle {} holds {} of {} at version {}, the newest committed is {}", where, key.id,
                               world().scenario().tables[key.table].name, show(version), show(writes.newest_version())));
  }

  Writes writes_;
};

}  // namespace

std::unique_ptr<Oracle> make_rows_converge(const WorldView& world) {
  return std::make_unique<RowsConverge>(world);
}

}  // namespace cohsim::oracles
