// The steps of a scripted scenario, done to a world.
#pragma once

#include <map>

#include "model/steps_api.h"
#include "model/world.h"

namespace cohsim {

class Steps final : public StepsApi {
 public:
  /// How long a step may take in virtual time before it counts as stuck.
  static constexpr DurationUs patience_us = 120 * us_per_s;

  explicit Steps(World& world);

  [[nodiscard]] const WorldView& view() const override { return world_; }
  NameRef name(std::uint16_t table, std::uint32_t n) override;

  OperationState commit(const NameRef& name, const std::string& value) override;
  OperationState put(Actor node, const NameRef& name, const std::string& value, Stop stop) override;
  OperationState fetch(Actor node, const NameRef& name, Stop stop) override;
  OperationState invalidate(Actor node, const NameRef& name, Stop stop) override;
  OperationState drop_l2(Actor node, const NameRef& name, const std::string& version, Stop stop) override;
  OperationState intend(Actor node, const NameRef& name, const std::string& version, Stop stop) override;
  OperationState replay(Actor node, std::uint16_t table, Stop stop) override;
  OperationState compact(Actor node, std::uint16_t table, Stop stop) override;
  OperationState begin_write(Actor node, const NameRef& name, const std::string& value) override;
  OperationState write_part(std::uint64_t write, WritePart part, Stop stop) override;
  std::string mint(Actor node, const std::string& kind) override;
  OperationState resume(std::uint64_t operation, Stop stop) override;
  [[nodiscard]] OperationState state_of(std::uint64_t operation) const override;
  OperationState stop_next(Actor node, Point point) override;

  void message(const HandMessage& message) override;
  void hold(const MessageFilter& filter) override;
  std::size_t release(const MessageFilter& filter) override;
  std::size_t discard(const MessageFilter& filter) override;
  std::size_t duplicate(const MessageFilter& filter) override;

  void crash(Actor node, bool power) override;
  void fail_sync(Actor node, std::uint32_t syncs) override;
  void restart(Actor node) override;
  void leave(Actor node) override;
  void pause(Actor node, DurationUs span_us) override;
  void drift(Actor node, std::int32_t ppm) override;
  void away(Actor node, DurationUs span_us) override;
  void reset(Actor node, std::uint8_t outcome) override;
  void fail_load(Actor node) override;
  void source_lag(DurationUs lag_us) override;
  void fail_handler(Actor node, std::uint32_t handlers) override;
  void partition(Actor from, Actor to) override;
  void heal() override;
  void clock(Actor node, DurationUs by_us) override;
  void advance(DurationUs by_us) override;
  void settle() override { world_.settle(false); }

  valkey::Reply raw(const std::vector<std::string>& args) override;
  void valkey_restart(bool keep_rows) override { world_.host().restart(keep_rows); }
  void server_full(DurationUs span) override { world_.host().be_full(span); }
  void server_slow(DurationUs span) override { world_.host().be_slow(span, false); }
  void server_hangs(DurationUs span) override { world_.host().be_slow(span, true); }
  void replica_lag(DurationUs by) override { world_.host().lag_replicas(by); }
  std::size_t failover(std::uint32_t lose) override { return world_.host().failover(lose); }
  void flush_scripts() override { world_.host().flush_scripts(); }
  bool evict(const std::string& key) override { return world_.host().evict(key); }

  void expect(bool condition, const std::string& text, int line) override;

 private:
  struct Write {
    Actor node;
    NameRef name;
    std::string value;
    std::string version;
  };

  void need_up(Actor node, std::string_view step) const;
  void need_journal(Actor node, std::uint16_t table, std::string_view step);
  OperationState run(Actor node, std::uint64_t operation, Task<void> task);
  OperationState pump(std::uint64_t operation);
  Task<void> part(Write write, WritePart part, std::uint64_t operation);
  [[nodiscard]] Network::Filter matcher(const MessageFilter& filter) const;

  World& world_;
  Mint outside_{1023};  ///< writers that are no node: `commit`, messages by hand
  std::map<std::uint64_t, Write> writes_;
};

}  // namespace cohsim
