// One property, watched. An oracle sees every event and may look at the world; it changes nothing, draws nothing, and
// does not call the code that it judges.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/events.h"
#include "model/world_view.h"

namespace cohsim {

/// The first breach of one property in one run.
struct Violation {
  std::string property;
  std::uint64_t step = 0;
  TimeUs at = 0;
  std::string sentence;  ///< one line with the real values; names nodes, tables, ids and versions
};

class Oracle : public Observer {
 public:
  explicit Oracle(const WorldView& world) : world_(world) {}
  using Observer::on;

  /// Called once when the run is over, after the last event; `settled`: the run ended with a settle.
  virtual void finish(bool settled) { (void)settled; }

  /// The stable name of properties.md.
  [[nodiscard]] virtual std::string_view property() const = 0;
  /// How often the property was put to the test in this run. 0: not exercised.
  [[nodiscard]] std::uint64_t exercised() const { return exercised_; }
  [[nodiscard]] const std::optional<Violation>& violation() const { return violation_; }

 protected:
  void exercise() { ++exercised_; }
  /// Keeps the first one only.
  void violate(const When& when, std::string sentence);
  void violate_at_end(std::string sentence);
  [[nodiscard]] const WorldView& world() const { return world_; }

 private:
  const WorldView& world_;
  std::uint64_t exercised_ = 0;
  std::optional<Violation> violation_;
};

/// What `cohsim list` and `explain` say of a property, and how to make its oracle.
struct PropertyInfo {
  std::string_view name;
  bool guarantee;                  ///< checked always; else only where a scenario asks
  std::string_view holds_when;     ///< one sentence
  std::string_view how_it_breaks;  ///< for `explain`: what to look for
  std::unique_ptr<Oracle> (*make)(const WorldView&);
};

/// Every property that this build has an oracle for, guarantees first, in the order of properties.md.
[[nodiscard]] const std::vector<PropertyInfo>& all_properties();
[[nodiscard]] const PropertyInfo* find_property(std::string_view name);

}  // namespace cohsim
