// The script answers 1 exactly if it deleted a row, 0 exactly if nothing changed: same bytes, same expiry. An answer that
// is no verdict at all is drop_always_answers' affair, unless it hides a deletion.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class VerdictIsTrue final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "verdict_is_true"; }

  void on(const When& when, const event::ScriptRan& event) override {
    if (event.endless || event.reply == nullptr) return;
    exercise();
    const bool deleted = event.before != nullptr && event.after == nullptr;
    const bool same = event.before == nullptr ? event.after == nullptr
                                              : event.after != nullptr && *event.before == *event.after;
    if (deleted && event.reply->is_integer(1)) return;
    if (same && !event.reply->is_integer(1)) return;
    if (!deleted && !same && !event.reply->is_integer(0) && !event.reply->is_integer(1)) return;
    violate(when, fmt::format("row {} of {}: before {}, after {}, but the script answered {} to {}", quote(event.key),
                              event.table.name, text(event.before), text(event.after), valkey::to_text(*event.reply),
                              world().actor_name(event.node)));
  }

 private:
  static std::string text(const valkey::Row* row) {
    if (row == nullptr) return "no row";
    return fmt::format("version {} in {} bytes, {}", show(row->bytes), row->bytes.size(),
                       row->deadline_ms ? fmt::format("expiring at {} ms", *row->deadline_ms) : "without expiry");
  }
};

}  // namespace

std::unique_ptr<Oracle> make_verdict_is_true(const WorldView& world) {
  return std::make_unique<VerdictIsTrue>(world);
}

}  // namespace cohsim::oracles
