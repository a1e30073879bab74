#include "model/workload.h"

#include "model/message.h"
#include "model/operation_tasks.h"

namespace cohsim {

namespace {

constexpr std::size_t versions_kept = 8;

}  // namespace

std::string name_of_row(const TableSettings& table, std::uint32_t n) {
  // Snowflakes of one millisecond of 2026; 26 + 10 apart in the last digit is the same letter in the other case.
  constexpr Snowflake base = make_snowflake(63'072'000'000, 0, 0);
  const Snowflake row = (n - 1) / 2, other_case = (n - 1) % 2 == 0 ? 0 : 26;
  const Snowflake tens = (base / 62 + row / 26) * 62 + 10;
  return brand(table.kind, tens + row % 26 + other_case);
}

Workload::Workload(World& world) : world_(world) {
  const Mix& mix = world.scenario().workload.mix;
  weights_ = {mix.put, mix.fetch, mix.invalidate, mix.replay, mix.compact, mix.drop_l2, mix.message, mix.corrupt};
}

void Workload::on(const When&, const event::Committed& committed) {
  auto& known = versions_[{committed.table.index, std::string(committed.id)}];
  if (known.size() == versions_kept) known.erase(known.begin());
  known.emplace_back(committed.version);
}

void Workload::start() {
  world_.notes().watch(*this);
  world_.scheduler().spawn(actor_world, loop(), 0, Scheduler::Duty::background);
}

DurationUs Workload::gap(std::uint32_t operation) {
  const auto& settings = world_.scenario().workload;
  const std::uint32_t burst = world_.scenario().design.burst;
  const DurationUs mean = settings.over_us / settings.operations;
  if (burst == 0) return world_.choices().between(Site::work_gap, actor_world, 0, 2 * mean);
  // `burst` operations inside one millisecond, then a pause that keeps the mean.
  if (operation % burst != 0) return world_.choices().between(Site::work_gap, actor_world, 0, us_per_ms / burst);
  return world_.choices().between(Site::work_gap, actor_world, 0, 2 * mean * burst);
}

Task<void> Workload::loop() {
  const std::uint32_t operations = world_.scenario().workload.operations;
  for (std::uint32_t operation = 0; operation < operations; ++operation) {
    const DurationUs pause = gap(operation);
    co_await world_.scheduler().sleep(pause);
    operate(operation);
  }
  done_ = true;
}

Workload::Target Workload::draw_target() {
  Choices& choices = world_.choices();
  const Scenario& scenario = world_.scenario();
  const auto node = static_cast<Actor>(actor_first_node +
                                       choices.choose(Site::work_node, actor_world, scenario.nodes.size()));
  const auto table =
      static_cast<std::uint16_t>(choices.choose(Site::work_table, actor_world, scenario.tables.size()));
  const TableSettings& settings = scenario.tables[table];
  const auto name = static_cast<std::uint32_t>(choices.choose(Site::work_name, actor_world, settings.names));
  return {node, table, name_of_row(settings, name + 1)};
}

void Workload::operate(std::uint32_t operation) {
  const auto kind = static_cast<Kind>(world_.choices().weighted(Site::work_operation, actor_world, weights_));
  const Target target = draw_target();
  if (!world_.node(target.node).up()) return;
  const auto spawn = [&](Task<void> task) { world_.scheduler().spawn(target.node, std::move(task)); };
  const bool journalled = world_.node(target.node).journal(target.table) != nullptr;
  switch (kind) {
    case Kind::put:
      spawn(operation::put(world_, target.node, target.table, target.id, "value " + std::to_string(operation), 0));
      break;
    case Kind::fetch: spawn(operation::fetch(world_, target.node, target.table, target.id, 0)); break;
    case Kind::invalidate: spawn(operation::invalidate(world_, target.node, target.table, target.id, 0)); break;
    case Kind::replay:
      if (journalled) spawn(operation::replay(world_, target.node, target.table, 0));
      break;
    case Kind::compact:
      if (journalled) spawn(operation::compact(world_, target.node, target.table, 0));
      break;
    case Kind::drop_l2: drop(target); break;
    case Kind::message: message(target); break;
    case Kind::corrupt: corrupt(target); break;
  }
}

std::string Workload::old_version(const Target& target) {
  const auto known = versions_.find({target.table, target.id});
  if (known == versions_.end()) return world_.node(target.node).mint_version(
      TableRef{target.table, world_.scenario().tables[target.table].name});
  const auto& versions = known->second;
  const std::uint64_t age = world_.choices().choose(Site::work_malformed, target.node, versions.size());
  return versions[versions.size() - 1 - age];
}

// Every second one carries a version that nobody wrote: newer than any row.
void Workload::drop(const Target& target) {
  const TableRef table{target.table, world_.scenario().tables[target.table].name};
  const bool fresh = world_.choices().choose(Site::work_malformed, target.node, 2) == 1;
  std::string version = fresh ? world_.node(target.node).mint_version(table) : old_version(target);
  world_.scheduler().spawn(target.node, operation::drop_l2(world_, target.node, target.table, target.id,
                                                           std::move(version), 0));
}

std::string Workload::message_bytes(const Target& target) {
  const std::string good = to_bytes(CoherenceMessage{target.id, old_version(target)});
  const std::string version = good.substr(branded_size + 1);
  switch (world_.choices().choose(Site::work_malformed, target.node, 7)) {
    case 1: return good.substr(0, message_size - 1);                        // too short
    case 2: return good + "x";                                              // too long
    case 3: return target.id + '-' + version;                               // another separator
    case 4: return good.substr(0, branded_size + 4) + std::string("\0\n", 2) + good.substr(branded_size + 6);
    case 5: return target.id + ":USRzzzzzzzzzzz";                           // above 2^63-1
    case 6: return "ZZZ" + target.id.substr(namespace_size) + ':' + version;  // well formed, of another namespace
    default: return good;                                                   // an old one once more
  }
}

void Workload::message(const Target& target) {
  const TableSettings& settings = world_.scenario().tables[target.table];
  const std::string bytes = message_bytes(target);
  Scheduler& scheduler = world_.scheduler();
  if (settings.lane == Lane::job) {
    scheduler.spawn(target.node, operation::enqueue(world_, target.node, target.table, bytes, 0));
  } else {
    std::vector<std::string> args{"PUBLISH", broadcast_channel(settings.name), bytes};
    scheduler.spawn(target.node, operation::command(world_, target.node, std::move(args), 0));
  }
  // A public verb with an id of another kind, beside it: refused before either layer is touched.
  std::string foreign = "ZZZ" + target.id.substr(namespace_size);
  scheduler.spawn(target.node, operation::fetch(world_, target.node, target.table, std::move(foreign), 0));
}

void Workload::corrupt(const Target& target) {
  const TableSettings& settings = world_.scenario().tables[target.table];
  // 0..13 bytes: shorter than a version; 14: a version and nothing behind it; else a version with an odd value.
  const std::uint64_t length = world_.choices().choose(Site::work_malformed, target.node, 17);
  const std::string version = old_version(target) + std::string("\0\r", 2);
  std::vector<std::string> args{"SET", l2_key(settings.name, target.id), version.substr(0, length), "PX",
                                std::to_string(settings.ttl_us / us_per_ms)};
  world_.scheduler().spawn(target.node, operation::command(world_, target.node, std::move(args), 0));
}

}  // namespace cohsim
