// Internal to model/: the arguments of one call of a step, checked against the scenario.
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lua/value.h"
#include "model/scenario.h"
#include "model/steps_api.h"

namespace cohsim {

/// A step was called wrongly: no pcall of the file may hide it.
class ArgumentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads arguments from left to right; each reader throws ArgumentError with what would be right.
class StepArguments {
 public:
  StepArguments(const Scenario& scenario, std::string_view step, std::span<const lua::Value> values)
      : scenario_(scenario), step_(step), values_(values) {}

  Actor node();
  /// A node, or "valkey" for what can be partitioned.
  Actor node_or_server();
  NameRef name();
  std::uint16_t table();
  /// The table named next, or the only one on the job lane.
  std::uint16_t job_table();
  /// Nullopt when there is no further argument, or it is no string.
  std::optional<std::uint16_t> optional_table();
  std::string text(std::string_view what);
  std::optional<std::string> optional_text(std::string_view what);
  std::string kind();
  std::uint32_t positive(std::string_view what);
  DurationUs duration(bool signed_too);
  /// A share from -0.5 to 0.5, in parts per million.
  std::int32_t drift();
  std::uint64_t operation();
  Point point();
  /// `{ stop_before = POINT }`, or nothing.
  StepsApi::Stop stop();
  MessageFilter filter();
  HandMessage message();
  /// `{ key = true or false }`, or nothing.
  bool option(std::string_view key);
  /// `{ key = n }`, a whole number of 0..most; must be given.
  std::uint32_t number_option(std::string_view key, std::uint32_t most);
  /// Everything left, as arguments of a command.
  std::vector<std::string> command();
  /// Skips an argument that is the operation's own table, so that both w.mint() and w:mint() work.
  void skip_self();
  lua::Value any();
  [[nodiscard]] bool more() const { return at_ < values_.size(); }
  /// Fails when there are more; nils at the end do not count.
  void at_most(std::size_t count) const;

  [[noreturn]] void fail(const std::string& text) const;

 private:
  const lua::Value& next();
  [[nodiscard]] const lua::Value& peek() const;
  [[nodiscard]] Actor node_of(const lua::Value& value) const;
  [[nodiscard]] std::uint16_t table_of(const lua::Value& value) const;
  [[nodiscard]] NameRef name_of(const lua::Value& value) const;
  [[nodiscard]] std::string bytes_of(const lua::Value& value, std::string_view what) const;
  [[nodiscard]] Point point_of(const lua::Value& value) const;
  /// The options' table; every key must be one of `keys`.
  const lua::Table* options(const std::vector<std::string>& keys);

  const Scenario& scenario_;
  std::string_view step_;
  std::span<const lua::Value> values_;
  std::size_t at_ = 0;
};

}  // namespace cohsim
