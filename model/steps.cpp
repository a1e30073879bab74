#include "model/steps.h"

#include <fmt/format.h>

#include "model/message.h"
#include "model/operation_tasks.h"
#include "model/workload.h"

namespace cohsim {

Steps::Steps(World& world) : world_(world) {}

NameRef Steps::name(std::uint16_t table, std::uint32_t n) {
  if (n == 0) throw StepError("names count from 1");
  return {table, name_of_row(world_.scenario().tables[table], n)};
}

void Steps::need_up(Actor node, std::string_view step) const {
  if (world_.node(node).up()) return;
  throw StepError(fmt::format("{}: node '{}' is down", step, world_.actor_name(node)));
}

void Steps::need_journal(Actor node, std::uint16_t table, std::string_view step) {
  need_up(node, step);
  if (world_.node(node).journal(table) != nullptr) return;
  throw StepError(fmt::format("{}: table '{}' has no journal: its lane is not 'job'", step,
                              world_.scenario().tables[table].name));
}

OperationState Steps::pump(std::uint64_t operation) {
  const TimeUs limit = world_.now() + patience_us;
  for (;;) {
    const OperationState state = world_.operations().state(operation);
    if (state.ended || !state.stopped_before.empty()) return state;
    if (!world_.step(limit)) {
      throw StepError(fmt::format("the operation neither ended nor stopped within {} s of virtual time: something that "
                                  "it waits for is itself stopped, held or down",
                                  patience_us / us_per_s));
    }
  }
}

OperationState Steps::run(Actor node, std::uint64_t operation, Task<void> task) {
  world_.scheduler().spawn(node, std::move(task), operation);
  return pump(operation);
}

OperationState Steps::commit(const NameRef& name, const std::string& value) {
  const TableSettings& table = world_.scenario().tables[name.table];
  const std::int64_t wall_ms = world_.scenario().design.start_unix_ms + world_.now() / us_per_ms;
  const std::string version = brand(table.kind, outside_.mint(wall_ms));
  world_.notes()(actor_world, event::Minted{actor_world, version});
  const std::uint64_t serial = world_.source_of_truth().commit(world_.now(), name.table, name.id, value, version);
  world_.notes()(actor_world, event::Committed{actor_world, {name.table, table.name}, name.id, version, value, serial});
  OperationState state;
  state.ended = true;
  state.outcome = "ok";
  state.version = version;
  return state;
}

OperationState Steps::put(Actor node, const NameRef& name, const std::string& value, Stop stop) {
  need_up(node, "s.put");
  const std::uint64_t number = world_.operations().begin(node, stop);
  return run(node, number, operation::put(world_, node, name.table, name.id, value, number));
}

OperationState Steps::fetch(Actor node, const NameRef& name, Stop stop) {
  need_up(node, "s.fetch");
  const std::uint64_t number = world_.operations().begin(node, stop);
  return run(node, number, operation::fetch(world_, node, name.table, name.id, number));
}

OperationState Steps::invalidate(Actor node, const NameRef& name, Stop stop) {
  need_up(node, "s.invalidate");
  const std::uint64_t number = world_.operations().begin(node, stop);
  return run(node, number, operation::invalidate(world_, node, name.table, name.id, number));
}

OperationState Steps::drop_l2(Actor node, const NameRef& name, const std::string& version, Stop stop) {
  need_up(node, "s.drop_l2");
  const std::uint64_t number = world_.operations().begin(node, stop);
  return run(node, number, operation::drop_l2(world_, node, name.table, name.id, version, number));
}

OperationState Steps::intend(Actor node, const NameRef& name, const std::string& version, Stop stop) {
  need_journal(node, name.table, "s.intend");
  if (!is_branded(version)) throw StepError(fmt::format("s.intend: '{}' is no version", version));
  const std::uint64_t number = world_.operations().begin(node, stop);
  return run(node, number, operation::intend(world_, node, name.table, name.id, version, number));
}

OperationState Steps::replay(Actor node, std::uint16_t table, Stop stop) {
  need_journal(node, table, "s.replay");
  const std::uint64_t number = world_.operations().begin(node, stop);
  return run(node, number, operation::replay(world_, node, table, number));
}

OperationState Steps::compact(Actor node, std::uint16_t table, Stop stop) {
  need_journal(node, table, "s.compact");
  const std::uint64_t number = world_.operations().begin(node, stop);
  return run(node, number, operation::compact(world_, node, table, number));
}

OperationState Steps::begin_write(Actor node, const NameRef& name, const std::string& value) {
  need_up(node, "s.write");
  const std::uint64_t number = world_.operations().begin(node, std::nullopt);
  writes_[number] = {node, name, value, {}};
  world_.operations().end(number, "begun");
  return world_.operations().state(number);
}

Task<void> Steps::part(Write write, WritePart part, std::uint64_t operation) {
  Node& node = world_.node(write.node);
  std::string outcome = "ok";
  if (part == WritePart::table_put) {
    co_await world_.operations().at(write.node, Point::write_put);
    Task<bool> putting = node.put(write.name.table, write.name.id, write.value, write.version);
    const bool done = co_await putting;
    if (!done) outcome = "failed";
  } else if (part == WritePart::announce) {
    co_await world_.operations().at(write.node, Point::write_announce);
    Task<std::string> announcing = node.announce(write.name.table, write.name.id, write.version);
    outcome = co_await announcing;
  } else {
    co_await world_.operations().at(write.node, Point::write_commit);
    node.commit(write.name.table, write.name.id, write.value, write.version);
  }
  world_.operations().end(operation, outcome, std::nullopt, write.version);
}

OperationState Steps::write_part(std::uint64_t write, WritePart which, Stop stop) {
  const auto found = writes_.find(write);
  if (found == writes_.end()) throw StepError("there is no such write");
  Write& known = found->second;
  need_up(known.node, "s.write");
  if (which == WritePart::mint) {
    if (!known.version.empty()) throw StepError("s.write: its version is minted already");
    const TableRef table{known.name.table, world_.scenario().tables[known.name.table].name};
    known.version = world_.node(known.node).mint_version(table);
    world_.operations().end(write, "ok", std::nullopt, known.version);
    OperationState state = world_.operations().state(write);
    state.version = known.version;
    return state;
  }
  if (known.version.empty()) throw StepError("s.write: mint comes first");
  world_.operations().reopen(write, stop);
  return run(known.node, write, part(known, which, write));
}

std::string Steps::mint(Actor node, const std::string& kind) {
  need_up(node, "s.mint");
  return world_.node(node).mint_version(kind);
}

OperationState Steps::resume(std::uint64_t operation, Stop stop) {
  const OperationState before = world_.operations().state(operation);
  if (before.ended) return before;
  if (!world_.operations().resume(operation, stop)) throw StepError("s.resume: the operation is not stopped");
  return pump(operation);
}

OperationState Steps::state_of(std::uint64_t operation) const { return world_.operations().state(operation); }

OperationState Steps::stop_next(Actor node, Point point) {
  return world_.operations().state(world_.operations().stop_next(node, point));
}

// Messages -------------------------------------------------------------------------------------------------------------

void Steps::message(const HandMessage& message) {
  const TableSettings& table = world_.scenario().tables[message.table];
  const Actor from = message.from.value_or(actor_world);
  if (table.lane == Lane::none) throw StepError(fmt::format("s.message: table '{}' has no lane", table.name));
  for (const Actor node : world_.node_actors()) {
    if (message.to && *message.to != node) continue;
    if (world_.node(node).left()) continue;
    if (table.lane == Lane::broadcast) {
      Message sent;
      sent.from = from;
      sent.to = node;
      sent.lane = static_cast<std::uint8_t>(Lane::broadcast);
      sent.table = message.table;
      sent.bytes = message.bytes;
      world_.network().post(std::move(sent));
      continue;
    }
    const std::int64_t wall_ms = world_.host().wall_ms();
    const std::string job = brand("JOB", outside_.mint(wall_ms));
    const std::optional<CoherenceMessage> parsed = parse_message(message.bytes);
    world_.host().enqueue(world_.node(node).queue_of(message.table), job, message.bytes,
                          parsed ? parsed->id : name_of_row(table, 1));
    if (world_.scenario().design.fanout == Fanout::shared) return;
  }
}

Network::Filter Steps::matcher(const MessageFilter& filter) const {
  return [filter](const Message& message) {
    if (filter.from && message.from != *filter.from) return false;
    if (filter.to && message.to != *filter.to) return false;
    if (filter.table && message.table != *filter.table) return false;
    if (filter.kind && lane_name(message.lane) != *filter.kind) return false;
    if (filter.id && !std::string_view(message.bytes).starts_with(*filter.id)) return false;
    return !filter.version || std::string_view(message.bytes).ends_with(*filter.version);
  };
}

void Steps::hold(const MessageFilter& filter) { world_.network().hold(filter.text(), matcher(filter)); }
std::size_t Steps::release(const MessageFilter& filter) {
  return world_.network().release(filter.text(), matcher(filter));
}
std::size_t Steps::discard(const MessageFilter& filter) { return world_.network().discard(matcher(filter)); }
std::size_t Steps::duplicate(const MessageFilter& filter) { return world_.network().duplicate(matcher(filter)); }

// Faults ---------------------------------------------------------------------------------------------------------------

void Steps::crash(Actor node, bool power) {
  need_up(node, "s.crash");
  world_.crash(node, power);
}

void Steps::fail_sync(Actor node, std::uint32_t syncs) { world_.node(node).context().sync_to_fail = syncs; }

void Steps::restart(Actor node) {
  if (world_.node(node).up()) throw StepError(fmt::format("s.restart: '{}' is up", world_.actor_name(node)));
  if (world_.node(node).left()) throw StepError(fmt::format("s.restart: '{}' left for good", world_.actor_name(node)));
  world_.restart(node);
  world_.run_until_quiet(world_.now() + us_per_s);
}

void Steps::leave(Actor node) {
  need_up(node, "s.leave");
  world_.node(node).leave();
}

void Steps::partition(Actor from, Actor to) {
  world_.partition(from, to);
}

void Steps::heal() {
  world_.network().heal_all();
  world_.notes()(actor_world, event::Partitioned{actor_world, actor_world, false});
}

void Steps::clock(Actor node, DurationUs by_us) { world_.step_clock(node, by_us); }

void Steps::pause(Actor node, DurationUs span_us) {
  need_up(node, "s.pause");
  world_.pause(node, span_us);
}

void Steps::drift(Actor node, std::int32_t ppm) { world_.drift_clock(node, ppm); }

void Steps::away(Actor node, DurationUs span_us) {
  need_up(node, "s.away");
  world_.node(node).cut_subscriber_off(span_us, "away");
}

void Steps::reset(Actor node, std::uint8_t outcome) {
  need_up(node, "s.reset");
  world_.network().reset_next(node, outcome);
}

void Steps::fail_load(Actor node) { world_.node(node).context().fail_load = true; }
void Steps::source_lag(DurationUs lag_us) { world_.run_state().source_lag_us = lag_us; }
void Steps::fail_handler(Actor node, std::uint32_t handlers) {
  world_.node(node).context().handlers_to_fail = handlers;
}

void Steps::advance(DurationUs by_us) {
  const TimeUs until = world_.now() + by_us;
  while (world_.step(until)) {
  }
  world_.scheduler().advance_to(until);
}

valkey::Reply Steps::raw(const std::vector<std::string>& args) {
  return world_.host().raw(args);
}

void Steps::expect(bool condition, const std::string& text, int line) {
  world_.notes()(actor_world, event::ExpectationChecked{condition, text, line});
}

std::string MessageFilter::text() const {
  std::string text = "{";
  if (from) text += fmt::format(" from={}", *from);
  if (to) text += fmt::format(" to={}", *to);
  if (table) text += fmt::format(" table={}", *table);
  if (id) text += " name=" + *id;
  if (version) text += " version=" + *version;
  if (kind) text += " kind=" + *kind;
  return text + " }";
}

}  // namespace cohsim
