// No two mints give one version. The namespace does not make a difference: versions are compared without it.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class VersionsAreUnique final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "versions_are_unique"; }

  void on(const When& when, const event::Minted& event) override {
    const auto number = number_of(event.version);
    if (!number) return;
    exercise();
    const auto [first, fresh] = minted_.emplace(*number, event.node);
    if (fresh) return;
    violate(when, fmt::format("{} minted {}, which {} had minted before", world().actor_name(event.node), show(event.version),
                              first->second == event.node ? "itself" : world().actor_name(first->second)));
  }

 private:
  std::map<std::uint64_t, Actor> minted_;
};

}  // namespace

std::unique_ptr<Oracle> make_versions_are_unique(const WorldView& world) {
  return std::make_unique<VersionsAreUnique>(world);
}

}  // namespace cohsim::oracles
