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
  [[nodiscard]] std::string text() const { return "{ " + joined(", ") + " }"; }
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

Section section_of(const Faults& faults) {
  const Faults defaults;
  Section messages, connections, nodes, clocks, valkey, handlers, disks, all;
  messages.probability("drop", faults.messages.drop);
  messages.probability("duplicate", faults.messages.duplicate);
  messages.probability("reorder", faults.messages.reorder);
  messages.range("delay", faults.messages.delay);
  connections.probability("reset", faults.connections.reset);
  nodes.probability("crash", faults.nodes.crash);
  nodes.probability("power_loss", faults.nodes.power_loss);
  nodes.range("down", faults.nodes.down, defaults.nodes.down);
  clocks.range("offset", faults.clocks.offset);
  clocks.probability("step", faults.clocks.step);
  clocks.range("step_by", faults.clocks.step_by, defaults.clocks.step_by);
  valkey.probability("restart", faults.valkey.restart);
  valkey.probability("flush_scripts", faults.valkey.flush_scripts);
  valkey.probability("evict", faults.valkey.evict);
  if (faults.valkey.keep_rows) valkey.add("keep_rows", "true");
  handlers.probability("fail", faults.handlers.fail);
  handlers.range("latency", faults.handlers.latency, defaults.handlers.latency);
  disks.probability("sync_fail", faults.disks.sync_fail);
  disks.probability("torn", faults.disks.torn);
  all.section("messages", messages);
  all.section("connections", connections);
  all.section("nodes", nodes);
  all.section("clocks", clocks);
  all.section("valkey", valkey);
  all.section("handlers", handlers);
  all.section("disks", disks);
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
