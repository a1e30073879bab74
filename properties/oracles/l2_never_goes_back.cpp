// The version in an L2 row is never replaced by an older one. A row that was deleted, evicted or expired in between was not
// replaced. A failover that lost the newer row's write replaces it: nothing excuses that.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class L2NeverGoesBack final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "l2_never_goes_back"; }

  /// A write that gave way to a newer row puts the property to the test as well.
  void on(const When&, const event::WriteRefused& event) override {
    if (event.layer == "l2" && event.standing && is_newer(*event.standing, event.version)) exercise();
  }
  void on(const When& when, const event::RowChanged& event) override {
    if (!event.ours || event.before == nullptr || event.after == nullptr) return;
    if (event.before->bytes.size() < version_size || event.after->bytes.size() < version_size) return;
    exercise();
    if (!is_newer(event.before->bytes, event.after->bytes)) return;
    violate(when, fmt::format("L2 row {} held version {} and was replaced by the older {} ({})", quote(event.key),
                              show(event.before->bytes), show(event.after->bytes), event.cause));
  }
};

}  // namespace

std::unique_ptr<Oracle> make_l2_never_goes_back(const WorldView& world) {
  return std::make_unique<L2NeverGoesBack>(world);
}

}  // namespace cohsim::oracles
