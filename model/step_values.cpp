#include "model/step_values.h"

#include "model/message.h"

namespace cohsim::step_values {

namespace {

lua::Value text_or_nil(const std::string& text) { return text.empty() ? lua::Value() : lua::Value(text); }

lua::Value optional_text(const std::optional<std::string>& text) { return text ? lua::Value(*text) : lua::Value(); }

void add(Counters& sum, const Counters& more) {
  for (const auto member : {&Counters::hits, &Counters::misses, &Counters::fills, &Counters::l2_hits,
                            &Counters::coalesced, &Counters::swept, &Counters::full_skips, &Counters::sweeps,
                            &Counters::coh_applied, &Counters::coh_stale, &Counters::ring_dropped}) {
    sum.*member += more.*member;
  }
}

}  // namespace

lua::Table operation(const OperationState& state) {
  return {{"id", state.operation},
          {"ended", state.ended},
          {"stopped_before", text_or_nil(state.stopped_before)},
          {"outcome", text_or_nil(state.outcome)},
          {"value", optional_text(state.value)},
          {"version", optional_text(state.version)}};
}

lua::Value reply(const valkey::Reply& reply) {
  using Kind = valkey::Reply::Kind;
  switch (reply.kind) {
    case Kind::nil:
    case Kind::null_array:
      return {};
    case Kind::integer:
      return reply.integer;
    case Kind::boolean:
      return reply.integer != 0;
    case Kind::status:
    case Kind::bulk:
    case Kind::real:
    case Kind::big_number:
      return reply.text;
    case Kind::verbatim:
      return reply.text.substr(4);
    case Kind::error:
      return lua::Table{{"err", reply.text}};
    case Kind::array:
    case Kind::set:
    case Kind::map:
    case Kind::push:
      break;
  }
  std::vector<lua::Value> items;
  for (const valkey::Reply& item : reply.items) {
    lua::Value value = step_values::reply(item);
    items.push_back(value.is_nil() ? lua::Value(false) : std::move(value));
  }
  return lua::Table::list(std::move(items));
}

lua::Value l1(const WorldView& view, Actor node, const NameRef& name) {
  const L1Row* row = view.l1_row(node, name.table, name.id);
  if (row == nullptr) return {};
  return lua::Table{{"version", row->version}, {"value", row->value}, {"expires_at", row->expires_at}};
}

lua::Value l2(const WorldView& view, const NameRef& name) {
  const std::optional<valkey::Row> row = view.l2_row(name.table, name.id);
  if (!row) return {};
  lua::Table table{{"bytes", row->bytes}};
  if (row->deadline_ms) table.set("deadline_ms", *row->deadline_ms);
  if (const auto frame = parse_frame(row->bytes)) {
    table.set("version", frame->version);
    table.set("value", frame->value);
  }
  return table;
}

lua::Value truth(const WorldView& view, const NameRef& name) {
  const Truth* truth = view.truth(name.table, name.id);
  if (truth == nullptr) return {};
  return lua::Table{{"value", truth->value}, {"version", truth->version}, {"serial", truth->serial}};
}

lua::Value applied(const WorldView& view, Actor node, const NameRef& name) {
  const JournalContents* journal = view.journal(node, name.table);
  if (journal == nullptr) return {};
  const auto at = journal->applied.find(name.id);
  return at == journal->applied.end() ? lua::Value() : lua::Value(at->second.version);
}

lua::Value intents(const WorldView& view, Actor node, std::uint16_t table) {
  std::vector<lua::Value> items;
  if (const JournalContents* journal = view.journal(node, table)) {
    for (const auto& [seq, intent] : journal->intents) {
      items.push_back(lua::Table{{"seq", seq},
                                 {"job", intent.job},
                                 {"name", intent.name},
                                 {"version", intent.version},
                                 {"queue", intent.queue},
                                 {"enqueued", intent.enqueued}});
    }
  }
  return lua::Table::list(std::move(items));
}

lua::Value jobs(const WorldView& view) {
  std::vector<lua::Value> items;
  for (const JobView& job : view.jobs()) {
    items.push_back(lua::Table{{"queue", job.queue},
                               {"job", job.job},
                               {"payload", job.payload},
                               {"group", job.group},
                               {"state", name_of(job.state)},
                               {"attempts", job.attempts},
                               {"deadline_ms", job.deadline_ms}});
  }
  return lua::Table::list(std::move(items));
}

lua::Value counters(const WorldView& view, Actor node, std::optional<std::uint16_t> table) {
  Counters sum;
  const std::size_t count = view.scenario().tables.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!table || *table == i) add(sum, view.counters(node, static_cast<std::uint16_t>(i)));
  }
  return lua::Table{{"hits", sum.hits},
                    {"misses", sum.misses},
                    {"fills", sum.fills},
                    {"l2_hits", sum.l2_hits},
                    {"coalesced", sum.coalesced},
                    {"swept", sum.swept},
                    {"full_skips", sum.full_skips},
                    {"sweeps", sum.sweeps},
                    {"coh_applied", sum.coh_applied},
                    {"coh_stale", sum.coh_stale},
                    {"ring_dropped", sum.ring_dropped}};
}

}  // namespace cohsim::step_values
