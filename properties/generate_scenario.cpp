// Whole scenarios. What is drawn first is also shrunk first, so the large classes stand in front.
#include <algorithm>

#include "model/units.h"
#include "properties/generators.h"

namespace cohsim::generate {

namespace {

bool coin() { return *rc::gen::arbitrary<bool>(); }
template <class T>
T between(T low, T high) {
  return *rc::gen::inRange<T>(low, static_cast<T>(high + 1));
}
/// Up to `most`, in steps of a hundredth, never 0.
Ppm rate(Ppm most) { return ppm_one / 100 * between<Ppm>(1, std::max<Ppm>(1, most / (ppm_one / 100))); }
Ppm maybe_rate(Ppm most) { return coin() ? rate(most) : 0; }
DurationRange range_up_to(DurationUs longest_us) {
  const DurationUs low = between<DurationUs>(0, 20) * us_per_ms;
  return {low, std::max(low, between<DurationUs>(0, longest_us / us_per_ms) * us_per_ms)};
}
DurationRange around_zero(DurationUs most_us) {
  const auto side = [&] { return between<DurationUs>(0, most_us / us_per_ms) * us_per_ms; };
  const DurationUs below = side();
  return {-below, side()};
}

MessageFaults message_faults() {
  MessageFaults faults;
  faults.drop = maybe_rate(300'000);
  faults.duplicate = maybe_rate(500'000);
  faults.reorder = maybe_rate(500'000);
  if (coin()) faults.delay = range_up_to(40 * us_per_s);  // beyond a lease: handlers become zombies
  return faults;
}

NodeFaults node_faults() {
  NodeFaults faults;
  faults.crash = rate(200'000);
  faults.power_loss = maybe_rate(ppm_one);
  faults.down = range_up_to(5 * us_per_s);
  faults.pause = maybe_rate(100'000);
  if (faults.pause != 0) faults.pause_for = range_up_to(40 * us_per_s);  // beyond a lease
  return faults;
}

ClockFaults clock_faults() {
  ClockFaults faults;
  if (coin()) faults.offset = around_zero(3 * us_per_s);
  faults.step = maybe_rate(100'000);
  if (faults.step != 0) faults.step_by = around_zero(5 * us_per_s);
  if (coin()) faults.drift = ShareRange{-between<std::int32_t>(0, 20) * 10'000, between<std::int32_t>(0, 20) * 10'000};
  return faults;
}

ValkeyFaults valkey_faults() {
  ValkeyFaults faults;
  faults.restart = maybe_rate(20'000);
  faults.flush_scripts = maybe_rate(50'000);
  faults.evict = maybe_rate(50'000);
  faults.keep_rows = faults.restart != 0 && coin();
  faults.failover = maybe_rate(50'000);
  if (faults.failover != 0) faults.lose = between<std::uint32_t>(0, 50);
  faults.full = maybe_rate(50'000);
  if (faults.full != 0) faults.full_for = range_up_to(5 * us_per_s);
  faults.slow = maybe_rate(50'000);
  if (faults.slow != 0) faults.slow_for = range_up_to(3 * us_per_s);
  faults.hang = maybe_rate(20'000);
  if (faults.hang != 0) faults.hang_for = range_up_to(20 * us_per_s);
  faults.stale = maybe_rate(100'000);
  if (faults.stale != 0) faults.lag = range_up_to(2 * us_per_s);
  return faults;
}

ConnectionFaults connection_faults(bool broadcast) {
  ConnectionFaults faults;
  faults.reset = maybe_rate(100'000);
  faults.partition = maybe_rate(100'000);
  if (faults.partition != 0) faults.partition_for = range_up_to(5 * us_per_s);
  if (broadcast) faults.away = maybe_rate(100'000);
  if (faults.away != 0) faults.away_for = range_up_to(10 * us_per_s);
  return faults;
}

LoaderFaults loader_faults() {
  LoaderFaults faults;
  faults.fail = maybe_rate(300'000);
  faults.slow = maybe_rate(300'000);
  if (faults.slow != 0) faults.slow_by = range_up_to(10 * us_per_s);
  faults.stale = maybe_rate(300'000);
  if (faults.stale != 0) faults.lag = range_up_to(10 * us_per_s);
  return faults;
}

/// Now and then a group is aimed, and another of its kind at the rest.
template <class Group>
void aim(Rules<Group>& rules, const Scenario& scenario) {
  if (*rc::gen::inRange(0, 4) != 0) return;
  Group rest = rules;
  if (coin()) {
    const DurationUs from = between<DurationUs>(0, 20) * us_per_s;
    rules.aim.during = DurationRange{from, from + between<DurationUs>(1, 20) * us_per_s};
  } else {
    rules.aim.nodes = {scenario.nodes.front()};
  }
  if (coin()) rules.more.push_back(std::move(rest));
}

HandlerFaults handler_faults() {
  HandlerFaults faults;
  faults.fail = maybe_rate(500'000);
  if (coin()) faults.latency = range_up_to(us_per_s);
  return faults;
}

TableSettings table(const std::string& name, const std::string& kind) {
  TableSettings settings;
  settings.name = name;
  settings.kind = kind;
  settings.lane = *rc::gen::element(Lane::none, Lane::broadcast, Lane::job, Lane::broadcast, Lane::job);
  settings.names = between<std::uint32_t>(1, 4);
  if (coin()) settings.ttl_us = between<DurationUs>(1, 60) * 200 * us_per_ms;
  if (coin()) settings.jitter_ppm = rate(900'000);
  if (coin()) settings.max_size = between<std::uint32_t>(1, 3);
  if (coin()) settings.ring_capacity = between<std::uint32_t>(1, 6);
  if (coin()) settings.sweep_us = between<DurationUs>(1, 30) * 100 * us_per_ms;
  return settings;
}

Mix mix(bool journalled) {
  const auto weight = [] { return between<std::uint32_t>(0, 4); };
  Mix drawn;
  drawn.put = between<std::uint32_t>(1, 8);
  drawn.fetch = between<std::uint32_t>(0, 10);
  drawn.invalidate = weight();
  drawn.drop_l2 = weight();
  drawn.message = weight();
  drawn.corrupt = weight();
  if (journalled) drawn.replay = weight();
  if (journalled) drawn.compact = weight();
  return drawn;
}

Design design(bool journalled) {
  Design drawn;
  if (coin()) drawn.receiver = Receiver::l1;
  if (journalled && coin()) drawn.fanout = Fanout::per_node;
  // The settings of a design under discussion, where they do not contradict one another.
  drawn.fill_write = *rc::gen::element(FillWrite::unconditional, FillWrite::newer_only, FillWrite::lease);
  if (coin()) drawn.fill_version = FillVersion::source;
  if (coin()) drawn.put_write = PutWrite::newer_only;
  if (drawn.fill_write == FillWrite::newer_only && coin()) drawn.after_drop = AfterDrop::floor;
  if (drawn.fill_write == FillWrite::lease) drawn.script = "coherence_drop_lease";
  if (drawn.after_drop == AfterDrop::floor) drawn.script = "coherence_drop_floor";
  if (coin()) drawn.mint = MintCell::persisted;
  if (journalled && coin()) drawn.token = JobToken::unique;
  if (journalled && coin()) drawn.journal = JournalKind::sqlite;
  if (coin()) drawn.version_kinds = {"USR", "AAA", "ZZZ"};
  if (coin()) drawn.burst = between<std::uint32_t>(2, 40);
  drawn.start = *rc::gen::element<std::string>("2026-01-01", "2024-01-01", "2030-05-05T00:35:55Z", "2090-12-31");
  drawn.start_unix_ms = *parse_date(drawn.start);
  return drawn;
}

}  // namespace

rc::Gen<Scenario> scenario() {
  return rc::gen::exec([] {
    const bool strikes_messages = coin(), strikes_connections = coin(), strikes_nodes = coin(), strikes_clocks = coin(),
               strikes_valkey = coin(), strikes_handlers = coin(), strikes_disks = coin(), strikes_loader = coin();
    Scenario drawn;
    drawn.name = "generated";
    const auto nodes = between<std::size_t>(1, 4);
    const auto tables = between<std::size_t>(1, 3);
    drawn.workload.operations = between<std::uint32_t>(1, 100);
    drawn.workload.over_us = between<DurationUs>(1, 60) * us_per_s;
    for (std::size_t i = 0; i < nodes; ++i) drawn.nodes.emplace_back(1, static_cast<char>('a' + i));
    constexpr const char* names[][2] = {{"money", "WAL"}, {"notes", "NTE"}, {"users", "USR"}};
    for (std::size_t i = 0; i < tables; ++i) drawn.tables.push_back(table(names[i][0], names[i][1]));
    const auto has = [&](Lane lane) {
      return std::any_of(drawn.tables.begin(), drawn.tables.end(), [&](const auto& each) { return each.lane == lane; });
    };
    const bool journalled = has(Lane::job);
    if (strikes_messages && (journalled || has(Lane::broadcast))) drawn.faults.messages = message_faults();
    if (strikes_connections) drawn.faults.connections = connection_faults(has(Lane::broadcast));
    if (strikes_nodes) drawn.faults.nodes = node_faults();
    if (strikes_clocks) drawn.faults.clocks = clock_faults();
    if (strikes_valkey) drawn.faults.valkey = valkey_faults();
    if (strikes_handlers && journalled) drawn.faults.handlers = handler_faults();
    drawn.workload.mix = mix(journalled);
    drawn.design = design(journalled);
    if (strikes_disks && journalled) drawn.faults.disks = DiskRules{{maybe_rate(500'000), maybe_rate(ppm_one)}, {}};
    if (strikes_loader) drawn.faults.loader = loader_faults();
    if (strikes_messages && (journalled || has(Lane::broadcast))) aim(drawn.faults.messages, drawn);
    if (strikes_connections) aim(drawn.faults.connections, drawn);
    if (strikes_nodes) aim(drawn.faults.nodes, drawn);
    if (strikes_clocks) aim(drawn.faults.clocks, drawn);
    ClockFaults& clocks = drawn.faults.clocks;
    if (clocks.aim.during && clocks.aim.during->low_us != 0) clocks.offset.reset(), clocks.drift.reset();
    if (strikes_handlers && journalled) aim(drawn.faults.handlers, drawn);
    if (strikes_loader) aim(drawn.faults.loader, drawn);
    if (strikes_disks && journalled) aim(drawn.faults.disks, drawn);
    if (coin()) drawn.loader.latency = range_up_to(2 * us_per_s);
    if (coin()) drawn.bounds = {{"commits", 0, between<std::uint32_t>(1'000, 4'000'000'000U)}};  // never outside
    if (coin()) {
      drawn.check = {"staleness_bounded"};
      drawn.staleness_bound_us = between<DurationUs>(1, 24) * 3600 * us_per_s;  // longer than any run: no verdict of today's
    }
    return drawn;
  });
}

}  // namespace cohsim::generate
