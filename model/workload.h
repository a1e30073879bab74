// The random workload of a scenario: operations drawn by weight, spread over virtual time, at drawn nodes and names.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/world.h"

namespace cohsim {

/// The n-th name of a table, from 1: the same in every run. Neighbours differ in their last digits, and some only in
/// the case of one letter, so that a comparison that folds case is seen.
[[nodiscard]] std::string name_of_row(const TableSettings& table, std::uint32_t n);

class Workload final : public Observer {
 public:
  explicit Workload(World& world);
  using Observer::on;

  void start();
  [[nodiscard]] bool done() const { return done_; }

  void on(const When& when, const event::Committed& committed) override;

 private:
  // In the order of Mix.
  enum class Kind : std::uint8_t { put, fetch, invalidate, replay, compact, drop_l2, message, corrupt };
  struct Target {
    Actor node;
    std::uint16_t table;
    std::string id;
  };

  Task<void> loop();
  [[nodiscard]] DurationUs gap(std::uint32_t operation);
  void operate(std::uint32_t operation);
  Target draw_target();
  std::string old_version(const Target& target);
  void drop(const Target& target);
  void message(const Target& target);
  void corrupt(const Target& target);
  std::string message_bytes(const Target& target);

  World& world_;
  std::vector<std::uint32_t> weights_;
  std::map<std::pair<std::uint16_t, std::string>, std::vector<std::string>> versions_;  // the newest few, newest last
  bool done_ = false;
};

}  // namespace cohsim
