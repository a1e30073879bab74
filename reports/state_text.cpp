#include "reports/state_text.h"

#include <fmt/format.h>

#include "reports/escape.h"

namespace cohsim {
namespace {

void write_counters(std::string& out, const Counters& c) {
  const std::pair<std::string_view, std::uint64_t> all[] = {
      {"hits", c.hits},           {"misses", c.misses},           {"fills", c.fills},
      {"l2_hits", c.l2_hits},     {"coalesced", c.coalesced},     {"swept", c.swept},
      {"full_skips", c.full_skips}, {"sweeps", c.sweeps},         {"coh_applied", c.coh_applied},
      {"coh_stale", c.coh_stale}, {"ring_dropped", c.ring_dropped}};
  out += "    counters";
  for (const auto& [name, value] : all) out += fmt::format(" {}={}", name, value);
  out += "\n";
}

void write_journal(std::string& out, const JournalContents& journal) {
  for (const auto& [seq, intent] : journal.intents) {
    out += fmt::format("    intent {} {} {} version={} job={} queue={}\n", seq,
                       intent.enqueued ? "enqueued" : "recorded", show_bytes(intent.name), show_bytes(intent.version),
                       show_bytes(intent.job), show_bytes(intent.queue));
  }
  for (const auto& [name, applied] : journal.applied) {
    out += fmt::format("    applied {} version={} seq={}\n", show_bytes(name), show_bytes(applied.version), applied.seq);
  }
}

void write_node(std::string& out, const WorldView& world, Actor node) {
  const std::string_view state = world.node_left(node) ? "left" : world.node_up(node) ? "up" : "down";
  out += fmt::format("node {} {}\n", world.actor_name(node), state);
  if (state != "up") return;
  const auto& tables = world.scenario().tables;
  for (std::uint16_t table = 0; table < tables.size(); ++table) {
    out += fmt::format("  table {}\n", tables[table].name);
    for (const auto& id : world.l1_ids(node, table)) {
      const L1Row* row = world.l1_row(node, table, id);
      if (row == nullptr) continue;
      out += fmt::format("    l1 {} version={} value={} expires={}\n", show_bytes(id), show_bytes(row->version),
                         show_bytes(row->value), show_time(row->expires_at));
    }
    if (const JournalContents* journal = world.journal(node, table)) write_journal(out, *journal);
    write_counters(out, world.counters(node, table));
  }
}

}  // namespace

std::string state_text(const WorldView& world) {
  std::string out = fmt::format("state at {}\n", show_time(world.now()));
  for (std::size_t i = 0; i < world.node_count(); ++i) {
    write_node(out, world, static_cast<Actor>(actor_first_node + i));
  }
  out += "server\n";
  for (const auto& [key, row] : world.l2_rows()) {
    out += fmt::format("  row {} {}", show_bytes(key), show_bytes(row.bytes));
    out += row.deadline_ms ? fmt::format(" deadline_ms={}\n", *row.deadline_ms) : "\n";
  }
  for (const auto& job : world.jobs()) {
    out += fmt::format("  job {} {} {} payload={} group={} attempts={} deadline_ms={}\n", show_bytes(job.queue),
                       show_bytes(job.job), name_of(job.state), show_bytes(job.payload), show_bytes(job.group),
                       job.attempts, job.deadline_ms);
  }
  return out;
}

std::string actor_name_in(const Scenario& scenario, Actor actor) {
  if (actor == actor_world) return "world";
  if (actor == actor_server) return "server";
  const std::size_t node = actor - actor_first_node;
  return node < scenario.nodes.size() ? scenario.nodes[node] : fmt::format("actor{}", actor);
}

}  // namespace cohsim
