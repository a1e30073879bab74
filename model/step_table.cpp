// Every step and every reader: what it takes, and what of the api it calls.
#include <stdexcept>

#include "model/message.h"
#include "model/recent_writes.h"
#include "model/scenario_script.h"
#include "model/step_values.h"
#include "model/units.h"

namespace cohsim {

namespace {

using Impl = ScenarioScript::Impl;
using lua::Value;

Value done(const OperationState& state) { return step_values::operation(state); }

NameRef name_then(StepArguments& a) { return a.name(); }

// Operations ----------------------------------------------------------------------------------------------------------
Value step_name(Impl& i, StepArguments& a) {
  const std::uint16_t table = a.table();
  const NameRef name = i.api().name(table, a.positive("a number"));
  return lua::Table{{"table", i.scenario.tables[name.table].name}, {"id", name.id}};
}
Value step_commit(Impl& i, StepArguments& a) {
  const NameRef name = name_then(a);
  return done(i.api().commit(name, a.text("a value")));
}
Value step_put(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  const NameRef name = a.name();
  const std::string value = a.text("a value");
  return done(i.api().put(node, name, value, a.stop()));
}
Value step_fetch(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  const NameRef name = a.name();
  return done(i.api().fetch(node, name, a.stop()));
}
Value step_invalidate(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  const NameRef name = a.name();
  return done(i.api().invalidate(node, name, a.stop()));
}
Value step_drop_l2(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  const NameRef name = a.name();
  const std::string version = a.text("a version");
  return done(i.api().drop_l2(node, name, version, a.stop()));
}
Value step_intend(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  const NameRef name = a.name();
  const std::string version = a.text("a version");
  return done(i.api().intend(node, name, version, a.stop()));
}
Value step_replay(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  const std::uint16_t table = a.job_table();
  return done(i.api().replay(node, table, a.stop()));
}
Value step_compact(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  const std::uint16_t table = a.job_table();
  return done(i.api().compact(node, table, a.stop()));
}
Value step_write(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  const NameRef name = a.name();
  return i.write_object(i.api().begin_write(node, name, a.text("a value")));
}
Value step_mint(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  return i.api().mint(node, a.kind());
}
Value step_resume(Impl& i, StepArguments& a) {
  const std::uint64_t operation = a.operation();
  return done(i.api().resume(operation, a.stop()));
}
Value step_state(Impl& i, StepArguments& a) { return done(i.api().state_of(a.operation())); }
Value step_stop_next(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  return done(i.api().stop_next(node, a.point()));
}

// Messages in flight --------------------------------------------------------------------------------------------------
Value step_message(Impl& i, StepArguments& a) { return i.api().message(a.message()), Value(); }
Value step_hold(Impl& i, StepArguments& a) { return i.api().hold(a.filter()), Value(); }
Value step_release(Impl& i, StepArguments& a) { return i.api().release(a.filter()); }
Value step_discard(Impl& i, StepArguments& a) { return i.api().discard(a.filter()); }
Value step_duplicate(Impl& i, StepArguments& a) { return i.api().duplicate(a.filter()); }

// Nodes, clocks, time -------------------------------------------------------------------------------------------------
Value step_crash(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  const std::string how = a.optional_text("\"process\" or \"power\"").value_or("process");
  if (how != "process" && how != "power") a.fail("a crash is \"process\" or \"power\", not " + lua::quoted(how));
  return i.api().crash(node, how == "power"), Value();
}
Value step_fail_sync(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  return i.api().fail_sync(node, a.more() ? a.positive("how many syncs from now") : 1), Value();
}
Value step_restart(Impl& i, StepArguments& a) { return i.api().restart(a.node()), Value(); }
Value step_leave(Impl& i, StepArguments& a) { return i.api().leave(a.node()), Value(); }
Value step_partition(Impl& i, StepArguments& a) {
  const Actor from = a.node_or_server();
  const Actor to = a.node_or_server();
  if (from == to) a.fail("wants two different ends");
  const bool one_way = a.option("one_way");
  i.api().partition(from, to);
  if (!one_way) i.api().partition(to, from);
  return {};
}
Value step_heal(Impl& i, StepArguments&) { return i.api().heal(), Value(); }
Value step_clock(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  return i.api().clock(node, a.duration(true)), Value();
}
Value step_pause(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  return i.api().pause(node, a.duration(false)), Value();
}
Value step_drift(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  return i.api().drift(node, a.drift()), Value();
}
Value step_away(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  return i.api().away(node, a.duration(false)), Value();
}
Value step_reset(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  const std::string outcome = a.optional_text("an outcome").value_or("reply_lost");
  static const std::vector<std::string> outcomes{"never_runs", "reply_lost", "runs_late"};
  for (std::size_t which = 0; which < outcomes.size(); ++which) {
    if (outcome == outcomes[which]) return i.api().reset(node, static_cast<std::uint8_t>(which + 1)), Value();
  }
  a.fail(lua::quoted(outcome) + " is no outcome of a reset; there are: " + alternatives(outcomes));
}
Value step_fail_load(Impl& i, StepArguments& a) { return i.api().fail_load(a.node()), Value(); }
Value step_source_lag(Impl& i, StepArguments& a) { return i.api().source_lag(a.duration(false)), Value(); }
Value step_fail_handler(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  return i.api().fail_handler(node, a.more() ? a.positive("how many handlers") : 1), Value();
}
Value step_advance(Impl& i, StepArguments& a) { return i.api().advance(a.duration(false)), Value(); }
Value step_settle(Impl& i, StepArguments&) { return i.api().settle(), Value(); }

// The server ----------------------------------------------------------------------------------------------------------
Value step_valkey(Impl& i, StepArguments& a) { return step_values::reply(i.api().raw(a.command())); }
Value step_valkey_restart(Impl& i, StepArguments& a) { return i.api().valkey_restart(a.option("keep")), Value(); }
Value step_flush_scripts(Impl& i, StepArguments&) { return i.api().flush_scripts(), Value(); }
Value step_evict(Impl& i, StepArguments& a) { return i.api().evict(a.text("a key")); }
Value step_server_full(Impl& i, StepArguments& a) { return i.api().server_full(a.duration(false)), Value(); }
Value step_server_slow(Impl& i, StepArguments& a) { return i.api().server_slow(a.duration(false)), Value(); }
Value step_server_hangs(Impl& i, StepArguments& a) { return i.api().server_hangs(a.duration(false)), Value(); }
Value step_replica_lag(Impl& i, StepArguments& a) { return i.api().replica_lag(a.duration(false)), Value(); }
Value step_failover(Impl& i, StepArguments& a) {
  return i.api().failover(a.number_option("lose", static_cast<std::uint32_t>(RecentWrites::most)));
}

// Readers -------------------------------------------------------------------------------------------------------------
Value read_l1(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  return step_values::l1(i.view(), node, a.name());
}
Value read_l2(Impl& i, StepArguments& a) { return step_values::l2(i.view(), a.name()); }
Value read_truth(Impl& i, StepArguments& a) { return step_values::truth(i.view(), a.name()); }
Value read_applied(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  return step_values::applied(i.view(), node, a.name());
}
Value read_intents(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  return step_values::intents(i.view(), node, a.job_table());
}
Value read_jobs(Impl& i, StepArguments&) { return step_values::jobs(i.view()); }
Value read_counters(Impl& i, StepArguments& a) {
  const Actor node = a.node();
  return step_values::counters(i.view(), node, a.optional_table());
}
Value read_now(Impl& i, StepArguments&) { return i.view().now(); }
Value read_up(Impl& i, StepArguments& a) { return i.view().node_up(a.node()); }
Value read_key(Impl& i, StepArguments& a) {
  const NameRef name = a.name();
  try {
    return l2_key(i.scenario.tables[name.table].name, name.id);
  } catch (const std::invalid_argument& error) {
    a.fail(error.what());
  }
}
Value step_expect(Impl& i, StepArguments& a) {
  const bool holds = a.any().truthy();
  const std::string text = a.text("a sentence");
  return i.api().expect(holds, text, i.line()), Value();
}

}  // namespace

const std::vector<Impl::Named>& ScenarioScript::Impl::all() {
  static const std::vector<Named> steps{{"advance", step_advance, 1, false},
                                        {"away", step_away, 2, false},
                                        {"applied", read_applied, 2, true},
                                        {"clock", step_clock, 2, false},
                                        {"commit", step_commit, 2, false},
                                        {"compact", step_compact, 3, false},
                                        {"counters", read_counters, 2, true},
                                        {"crash", step_crash, 2, false},
                                        {"discard", step_discard, 1, false},
                                        {"drift", step_drift, 2, false},
                                        {"drop_l2", step_drop_l2, 4, false},
                                        {"duplicate", step_duplicate, 1, false},
                                        {"evict", step_evict, 1, false},
                                        {"expect", step_expect, 2, false},
                                        {"fail_handler", step_fail_handler, 2, false},
                                        {"fail_load", step_fail_load, 1, false},
                                        {"fail_sync", step_fail_sync, 2, false},
                                        {"failover", step_failover, 1, false},
                                        {"fetch", step_fetch, 3, false},
                                        {"flush_scripts", step_flush_scripts, 0, false},
                                        {"heal", step_heal, 0, false},
                                        {"hold", step_hold, 1, false},
                                        {"intend", step_intend, 4, false},
                                        {"intents", read_intents, 2, true},
                                        {"invalidate", step_invalidate, 3, false},
                                        {"jobs", read_jobs, 0, true},
                                        {"key", read_key, 1, true},
                                        {"l1", read_l1, 2, true},
                                        {"l2", read_l2, 1, true},
                                        {"leave", step_leave, 1, false},
                                        {"message", step_message, 1, false},
                                        {"mint", step_mint, 2, false},
                                        {"name", step_name, 2, false},
                                        {"now", read_now, 0, true},
                                        {"partition", step_partition, 3, false},
                                        {"pause", step_pause, 2, false},
                                        {"put", step_put, 4, false},
                                        {"release", step_release, 1, false},
                                        {"replay", step_replay, 3, false},
                                        {"replica_lag", step_replica_lag, 1, false},
                                        {"reset", step_reset, 2, false},
                                        {"restart", step_restart, 1, false},
                                        {"resume", step_resume, 2, false},
                                        {"server_full", step_server_full, 1, false},
                                        {"server_hangs", step_server_hangs, 1, false},
                                        {"server_slow", step_server_slow, 1, false},
                                        {"settle", step_settle, 0, false},
                                        {"source_lag", step_source_lag, 1, false},
                                        {"state", step_state, 1, false},
                                        {"stop_next", step_stop_next, 2, false},
                                        {"truth", read_truth, 1, true},
                                        {"up", read_up, 1, true},
                                        {"valkey", step_valkey, 999, false},
                                        {"valkey_restart", step_valkey_restart, 1, false},
                                        {"write", step_write, 3, false}};
  return steps;
}

std::vector<std::string> step_names(bool readers_only) {
  std::vector<std::string> names;
  for (const auto& step : ScenarioScript::Impl::all()) {
    if (!readers_only || step.reads) names.push_back(step.name);
  }
  return names;
}

}  // namespace cohsim
