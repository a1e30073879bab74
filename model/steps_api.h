// What the steps of a scenario can do to the world. The Lua binding (scenario_steps.h) is written against this, the world
// implements it. Every operation pumps the scheduler until it has ended or reached its `stop_before`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/points.h"
#include "model/world_view.h"
#include "sim/network.h"

namespace cohsim {

/// A name of a table: `s.name("users", 1)`.
struct NameRef {
  std::uint16_t table = 0;
  std::string id;
};

/// How far an operation has come.
struct OperationState {
  std::uint64_t operation = 0;
  bool ended = false;
  std::string stopped_before;          ///< point's name, where it waits; empty otherwise
  std::string outcome;                 ///< once ended: "ok", "hit", "loaded", "stale", "disconnected", "crashed", …
  std::optional<std::string> value;    ///< of a fetch
  std::optional<std::string> version;  ///< of a fetch, a commit, a put
};

enum class WritePart : std::uint8_t { mint, commit, table_put, announce };

/// Which messages in flight: every set field must match. `kind`: "broadcast" or "job".
struct MessageFilter {
  std::optional<Actor> from, to;
  std::optional<std::uint16_t> table;
  std::optional<std::string> id, version, kind;
  [[nodiscard]] std::string text() const;  ///< canonical: equal filters have equal texts
};

/// A message by hand: parts, or raw bytes. `to`: one node, or all of them.
struct HandMessage {
  std::optional<Actor> from, to;
  std::uint16_t table = 0;
  std::string bytes;
};

/// Thrown when a step cannot be done (a node that is down, an operation of no fiber): a broken scenario, exit code 2.
class StepError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class StepsApi {
 public:
  virtual ~StepsApi() = default;
  using Stop = std::optional<Point>;

  [[nodiscard]] virtual const WorldView& view() const = 0;
  /// The n-th name (from 1) of a table: always the same id for the same scenario.
  virtual NameRef name(std::uint16_t table, std::uint32_t n) = 0;

  virtual OperationState commit(const NameRef& name, const std::string& value) = 0;
  virtual OperationState put(Actor node, const NameRef& name, const std::string& value, Stop stop) = 0;
  virtual OperationState fetch(Actor node, const NameRef& name, Stop stop) = 0;
  virtual OperationState invalidate(Actor node, const NameRef& name, Stop stop) = 0;
  virtual OperationState drop_l2(Actor node, const NameRef& name, const std::string& version, Stop stop) = 0;
  virtual OperationState intend(Actor node, const NameRef& name, const std::string& version, Stop stop) = 0;
  virtual OperationState replay(Actor node, std::uint16_t table, Stop stop) = 0;
  virtual OperationState compact(Actor node, std::uint16_t table, Stop stop) = 0;
  /// A write by parts; parts run in any order the scenario wants, each once. mint must be first.
  virtual OperationState begin_write(Actor node, const NameRef& name, const std::string& value) = 0;
  virtual OperationState write_part(std::uint64_t write, WritePart part, Stop stop) = 0;
  /// A version minted by a node now, without any write.
  virtual std::string mint(Actor node, const std::string& kind) = 0;
  virtual OperationState resume(std::uint64_t operation, Stop stop) = 0;
  [[nodiscard]] virtual OperationState state_of(std::uint64_t operation) const = 0;

  /// Broadcast: posts on the link to the node(s) of the table's channel. Job lane: enqueues the payload.
  virtual void message(const HandMessage& message) = 0;
  /// Whatever runs at `node` and reaches `point` next (a job handler, a ring applier) stops there. Does not pump: the
  /// operation it answers is stopped once something came there, and `resume` lets it go on.
  virtual OperationState stop_next(Actor node, Point point) = 0;
  virtual void hold(const MessageFilter& filter) = 0;
  virtual std::size_t release(const MessageFilter& filter) = 0;
  virtual std::size_t discard(const MessageFilter& filter) = 0;
  virtual std::size_t duplicate(const MessageFilter& filter) = 0;

  virtual void crash(Actor node, bool power) = 0;
  virtual void fail_sync(Actor node, std::uint32_t syncs) = 0;  ///< the n-th from now of the node's disk
  virtual void restart(Actor node) = 0;
  virtual void leave(Actor node) = 0;
  virtual void partition(Actor from, Actor to) = 0;  ///< one way; the binding cuts both unless asked otherwise
  virtual void heal() = 0;
  virtual void clock(Actor node, DurationUs by_us) = 0;
  virtual void pause(Actor node, DurationUs span_us) = 0;  ///< it stands still from now on, its monotonic clock with it
  virtual void drift(Actor node, std::int32_t ppm) = 0;    ///< how much faster its clocks run from now on
  virtual void away(Actor node, DurationUs span_us) = 0;   ///< its subscriber is cut off
  /// What becomes of the node's next command; Network::reset_next has the outcomes.
  virtual void reset(Actor node, std::uint8_t outcome) = 0;
  virtual void fail_load(Actor node) = 0;                  ///< the next load of the node fails
  virtual void source_lag(DurationUs lag_us) = 0;          ///< every load from now on sees the source as it was then
  virtual void fail_handler(Actor node, std::uint32_t handlers) = 0;  ///< the handlers of its next jobs raise
  virtual void advance(DurationUs by_us) = 0;         ///< runs everything due within
  virtual void settle() = 0;

  virtual valkey::Reply raw(const std::vector<std::string>& args) = 0;
  virtual void valkey_restart(bool keep_rows) = 0;
  virtual void server_full(DurationUs span) = 0;           ///< it refuses what takes memory; 0: no longer
  virtual void server_slow(DurationUs span) = 0;           ///< a command takes so long, and everybody waits
  virtual void server_hangs(DurationUs span) = 0;          ///< a script does not end; behind 5 s all are told BUSY
  virtual void replica_lag(DurationUs by) = 0;             ///< reads of rows from now on see them as they were then
  virtual std::size_t failover(std::uint32_t lose) = 0;  ///< answers how many writes were lost
  virtual void flush_scripts() = 0;
  virtual bool evict(const std::string& key) = 0;

  virtual void expect(bool condition, const std::string& text, int line) = 0;
};

}  // namespace cohsim
