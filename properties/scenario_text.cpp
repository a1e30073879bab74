#include "properties/scenario_text.h"

#include <fmt/format.h>

#include <ostream>
#include <stdexcept>
#include <vector>

#include "model/units.h"

namespace cohsim {

namespace {

std::string quoted(const std::string& text) { return "\"" + text + "\""; }
std::string text_of(const DurationRange& range) {
  return fmt::format("{{ \"{}\", \"{}\" }}", duration_text(range.low_us), duration_text(range.high_us));
}
std::string text_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "{ " : ", ") + quoted(name);
  return text.empty() ? "{}" : text + " }";
}

/// `{ key = value, … }`, of the keys that are not at their defaults.
class Section {
 public:
  void add(const std::string& key, const std::string& value) { entries_.push_back(key + " = " + value); }
  void section(const std::string& key, const Section& inner) {
    if (!inner.entries_.empty()) add(key, inner.text());
  }
  void count(const std::string& key, std::uint32_t value, std::uint32_t fallback) {
    if (value != fallback) add(key, std::to_string(value));
  }
  void duration(const std::string& key, DurationUs value, DurationUs fallback) {
    if (value != fallback) add(key, quoted(duration_text(value)));
  }
  void probability(const std::string& key, Ppm value, Ppm fallback = 0) {
    if (value != fallback) add(key, probability_text(value));
  }
  void range(const std::string& key, const DurationRange& value, const DurationRange& fallback) {
    if (value != fallback) add(key, text_of(value));
  }
  void range(const std::string& key, const std::optional<DurationRange>& value) {
    if (value) add(key, text_of(*value));
  }
  [[nodiscard]] std::string text() const { return entries_.empty() ? "{}" : "{ " + joined(", ") + " }"; }
  [[nodiscard]] std::string lines() const {
    std::string all;
    for (const std::string& entry : entries_) all += "  " + entry + ",\n";
    return all;
  }

 private:
  [[nodiscard]] std::string joined(const std::string& separator) const {
    std::string all;
    for (const std::string& entry : entries_) all += (all.empty() ? "" : separator) + entry;
    return all;
  }
  std::vector<std::string> entries_;
};

Section section_of(const TableSettings& table) {
  const TableSettings defaults;
  constexpr const char* lanes[] = {"none", "broadcast", "job"};
  Section section;
  section.add("kind", quoted(table.kind));
  if (table.lane != defaults.lane) section.add("lane", quoted(lanes[static_cast<int>(table.lane)]));
  section.duration("ttl", table.ttl_us, defaults.ttl_us);
  section.probability("jitter", table.jitter_ppm, defaults.jitter_ppm);
  section.count("max_size", table.max_size, defaults.max_size);
  section.duration("sweep", table.sweep_us, defaults.sweep_us);
  section.count("ring_capacity", table.ring_capacity, defaults.ring_capacity);
  section.count("names", table.names, defaults.names);
  return section;
}

// A mix that is given is the whole mix.
Section section_of(const Mix& mix) {
  Section section;
  section.count("put", mix.put, 0);
  section.count("fetch", mix.fetch, 0);
  section.count("invalidate", mix.invalidate, 0);
  section.count("replay", mix.replay, 0);
  section.count("compact", mix.compact, 0);
  section.count("drop_l2", mix.drop_l2, 0);
  section.count("message", mix.message, 0);
  section.count("corrupt", mix.corrupt, 0);
  return section;
}

void add_aim(Section& section, const Aim& aim, const char* nodes = "nodes") {
  section.range("during", aim.during);
  if (!aim.from.empty()) section.add("from", text_of(aim.from));
  if (!aim.nodes.empty()) section.add(nodes, text_of(aim.nodes));
  if (!aim.tables.empty()) section.add("tables", text_of(aim.tables));
  if (!aim.kinds.empty()) section.add("kinds", text_of(aim.kinds));
}

Section section_of(const MessageFaults& faults) {
  Section section;
  section.probability("drop", faults.drop);
  section.probability("duplicate", faults.duplicate);
  section.probability("reorder", faults.reorder);
  section.range("delay", faults.delay);
  add_aim(section, faults.aim, "to");
  return section;
}
Section section_of(const ConnectionFaults& faults) {
  Section section;
  section.probability("reset", faults.reset);
  section.probability("away", faults.away);
  section.probability("partition", faults.partition);
  section.range("partition_for", faults.partition_for, ConnectionFaults().partition_for);
  section.range("away_for", faults.away_for, ConnectionFaults().away_for);
  add_aim(section, faults.aim);
  return section;
}
Section section_of(const NodeFaults& faults) {
  Section section;
  section.probability("crash", faults.crash);
  section.probability("power_loss", faults.power_loss);
  section.range("down", faults.down, NodeFaults().down);
  section.probability("pause", faults.pause);
  section.range("pause_for", faults.pause_for, NodeFaults().pause_for);
  add_aim(section, faults.aim);
  return section;
}
Section section_of(const ClockFaults& faults) {
  Section section;
  section.range("offset", faults.offset);
  section.probability("step", faults.step);
  section.range("step_by", faults.step_by, ClockFaults().step_by);
  if (faults.drift) {
    section.add("drift", fmt::format("{{ {}, {} }}", drift_text(faults.drift->low_ppm), drift_text(faults.drift->high_ppm)));
  }
  add_aim(section, faults.aim);
  return section;
}
Section section_of(const ValkeyFaults& faults) {
  Section section;
  section.probability("restart", faults.restart);
  section.probability("flush_scripts", faults.flush_scripts);
  section.probability("evict", faults.evict);
  if (faults.keep_rows) section.add("keep_rows", "true");
  const ValkeyFaults usual;
  section.probability("failover", faults.failover);
  if (faults.lose != usual.lose) section.add("lose", std::to_string(faults.lose));
  section.probability("full", faults.full);
  section.range("full_for", faults.full_for, usual.full_for);
  section.probability("slow", faults.slow);
  section.range("slow_for", faults.slow_for, usual.slow_for);
  section.probability("hang", faults.hang);
  section.range("hang_for", faults.hang_for, usual.hang_for);
  section.probability("stale", faults.stale);
  section.range("lag", faults.lag, usual.lag);
  add_aim(section, faults.aim);
  return section;
}
Section section_of(const HandlerFaults& faults) {
  Section section;
  section.probability("fail", faults.fail);
  section.range("latency", faults.latency, HandlerFaults().latency);
  add_aim(section, faults.aim);
  return section;
}
Section section_of(const LoaderFaults& faults) {
  Section section;
  section.probability("fail", faults.fail);
  section.probability("slow", faults.slow);
  section.range("slow_by", faults.slow_by, LoaderFaults().slow_by);
  section.probability("stale", faults.stale);
  section.range("lag", faults.lag, LoaderFaults().lag);
  add_aim(section, faults.aim);
  return section;
}
Section section_of(const DiskRules& faults) {
  Section section;
  section.probability("sync_fail", faults.sync_fail);
  section.probability("torn", faults.torn);
  add_aim(section, faults.aim);
  return section;
}

template <class Group>
void add_rules(Section& section, const std::string& key, const Rules<Group>& rules) {
  const Section first = section_of(static_cast<const Group&>(rules));
  if (rules.more.empty()) return section.section(key, first);
  std::string all = "{ " + first.text();
  for (const Group& more : rules.more) all += ", " + section_of(more).text();
  section.add(key, all + " }");
}

Section section_of(const Faults& faults) {
  Section all;
  add_rules(all, "messages", faults.messages);
  add_rules(all, "connections", faults.connections);
  add_rules(all, "nodes", faults.nodes);
  add_rules(all, "clocks", faults.clocks);
  add_rules(all, "valkey", faults.valkey);
  add_rules(all, "handlers", faults.handlers);
  add_rules(all, "loader", faults.loader);
  add_rules(all, "disks", faults.disks);
  return all;
}

void add_design(Section& section, const Design& design) {
  const Design defaults;
  if (design.script != defaults.script) section.add("script", quoted(design.script));
  if (design.collate != defaults.collate) section.add("collate", quoted(design.collate));
  if (design.receiver == Receiver::l1) section.add("receiver", "\"l1\"");
  if (design.fanout == Fanout::per_node) section.add("fanout", "\"per_node\"");
  if (design.fill_write == FillWrite::newer_only) section.add("fill_write", "\"newer_only\"");
  if (design.fill_write == FillWrite::lease) section.add("fill_write", "\"lease\"");
  if (design.fill_version == FillVersion::source) section.add("fill_version", "\"source\"");
  if (design.put_write == PutWrite::newer_only) section.add("put_write", "\"newer_only\"");
  if (design.after_drop == AfterDrop::floor) section.add("after_drop", "\"floor\"");
  if (design.mint == MintCell::persisted) section.add("mint", "\"persisted\"");
  if (design.token == JobToken::unique) section.add("token", "\"unique\"");
  if (!design.node_numbers.empty()) section.add("node_numbers", fmt::format("{{ {} }}", fmt::join(design.node_numbers, ", ")));
  if (design.journal == JournalKind::sqlite) section.add("journal", "\"sqlite\"");
  if (design.start != defaults.start) section.add("start", quoted(design.start));
  if (!design.version_kinds.empty()) section.add("version_kinds", text_of(design.version_kinds));
  section.count("burst", design.burst, defaults.burst);
}

}  // namespace

std::string to_lua(const Scenario& scenario) {
  if (scenario.has_steps || !scenario.invariants.empty()) throw std::invalid_argument("functions have no text");
  Section section;
  section.add("nodes", text_of(scenario.nodes));
  Section tables;
  for (const TableSettings& table : scenario.tables) tables.section(table.name, section_of(table));
  section.section("tables", tables);
  Section workload;
  workload.count("operations", scenario.workload.operations, 0);
  if (scenario.workload.operations != 0) {
    workload.duration("over", scenario.workload.over_us, WorkloadSettings().over_us);
    workload.section("mix", section_of(scenario.workload.mix));
  }
  section.section("workload", workload);
  section.section("faults", section_of(scenario.faults));
  Section loader;
  loader.range("latency", scenario.loader.latency, LoaderSettings().latency);
  section.section("loader", loader);
  add_design(section, scenario.design);
  if (!scenario.check.empty()) section.add("check", text_of(scenario.check));
  section.duration("staleness_bound", scenario.staleness_bound_us, 0);
  if (!scenario.bounds.empty()) {
    std::string bounds;
    for (const Bound& bound : scenario.bounds) {
      bounds += fmt::format("{}[{}] = {{ {}, {} }}", bounds.empty() ? "" : ", ", quoted(bound.measure), bound.low, bound.high);
    }
    section.add("bounds", "{ " + bounds + " }");
  }
  if (scenario.expect.violates) {
    Section expect;
    expect.add("violates", quoted(*scenario.expect.violates));
    if (!scenario.expect.also.empty()) expect.add("also", text_of(scenario.expect.also));
    section.section("expect", expect);
  }
  return fmt::format("return scenario {{\n  about = \"generated\",\n{}}}\n", section.lines());
}

void showValue(const Scenario& scenario, std::ostream& out) { out << to_lua(scenario); }

}  // namespace cohsim
