#include "model/scenario_steps.h"

#include <algorithm>

#include "lua/host.h"
#include "model/message.h"
#include "model/scenario_chunk.h"
#include "model/step_arguments.h"
#include "model/step_values.h"
#include "model/units.h"

namespace cohsim {

namespace {

constexpr std::uint64_t calls_max = 100'000;  // of steps in one run: a loop that never ends is a broken scenario

}  // namespace

class ScenarioScript::Impl {
 public:
  explicit Impl(const Scenario& scenario);
  void run_steps(StepsApi& api);
  std::optional<BrokenInvariant> check_invariants(const WorldView& view);

  using Step = lua::Value (*)(Impl&, StepArguments&);
  struct Named {
    std::string name;
    Step run;
    std::size_t arguments_max;
    bool reads;  ///< offered to invariants, too
  };
  static const std::vector<Named>& all();

  lua::Value write_object(const OperationState& state);
  [[nodiscard]] const WorldView& view() const { return *view_; }
  [[nodiscard]] StepsApi& api() const { return *api_; }
  [[nodiscard]] int line() const { return call_line_; }
  const Scenario& scenario;

 private:
  lua::Value offer(bool readers_only);
  lua::Value bound(const std::string& name, std::size_t arguments_max, bool reads,
                   std::function<lua::Value(StepArguments&)> run);
  std::vector<lua::Value> call(lua::FunctionRef function, const lua::Value& argument);
  [[noreturn]] void broken(const lua::FileError& error) const;

  lua::Host host_;
  lua::Value steps_;
  std::vector<std::pair<std::string, lua::FunctionRef>> invariants_;
  lua::Value steps_argument_, world_argument_;
  StepsApi* api_ = nullptr;          // while steps run
  const WorldView* view_ = nullptr;  // while steps run or invariants are checked
  bool judging_ = false;
  int call_line_ = 0;
  std::uint64_t calls_ = 0;
};

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
Value step_advance(Impl& i, StepArguments& a) { return i.api().advance(a.duration(false)), Value(); }
Value step_settle(Impl& i, StepArguments&) { return i.api().settle(), Value(); }

// The server ----------------------------------------------------------------------------------------------------------
Value step_valkey(Impl& i, StepArguments& a) { return step_values::reply(i.api().raw(a.command())); }
Value step_valkey_restart(Impl& i, StepArguments& a) { return i.api().valkey_restart(a.option("keep")), Value(); }
Value step_flush_scripts(Impl& i, StepArguments&) { return i.api().flush_scripts(), Value(); }
Value step_evict(Impl& i, StepArguments& a) { return i.api().evict(a.text("a key")); }
Value step_failover(Impl&, StepArguments& a) { a.fail("is not built yet"); }

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
                                        {"applied", read_applied, 2, true},
                                        {"clock", step_clock, 2, false},
                                        {"commit", step_commit, 2, false},
                                        {"compact", step_compact, 3, false},
                                        {"counters", read_counters, 2, true},
                                        {"crash", step_crash, 2, false},
                                        {"discard", step_discard, 1, false},
                                        {"drop_l2", step_drop_l2, 4, false},
                                        {"duplicate", step_duplicate, 1, false},
                                        {"evict", step_evict, 1, false},
                                        {"expect", step_expect, 2, false},
                                        {"failover", step_failover, 99, false},
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
                                        {"put", step_put, 4, false},
                                        {"release", step_release, 1, false},
                                        {"replay", step_replay, 3, false},
                                        {"restart", step_restart, 1, false},
                                        {"resume", step_resume, 2, false},
                                        {"settle", step_settle, 0, false},
                                        {"state", step_state, 1, false},
                                        {"stop_next", step_stop_next, 2, false},
                                        {"truth", read_truth, 1, true},
                                        {"up", read_up, 1, true},
                                        {"valkey", step_valkey, 999, false},
                                        {"valkey_restart", step_valkey_restart, 1, false},
                                        {"write", step_write, 3, false}};
  return steps;
}

ScenarioScript::Impl::Impl(const Scenario& of) : scenario(of) {
  if (of.text == nullptr) throw std::invalid_argument("a scenario that was not loaded has no script");
  ScenarioChunk chunk;
  try {
    chunk = evaluate_scenarios(host_, of.path, *of.text);
  } catch (const LoadFailure& failure) {
    throw ScenarioBroken(of.path, failure.problem.line, failure.problem.message);
  }
  if (of.place >= chunk.returned.size()) throw ScenarioBroken(of.path, of.line, "the file returns fewer scenarios now");
  const lua::Table& keys = *chunk.found[chunk.returned[of.place]].keys.table();
  if (const Value* steps = keys.find("steps")) steps_ = *steps;
  const Value* invariants = keys.find("invariants");
  if (invariants != nullptr && invariants->table() != nullptr) {
    for (const auto& [name, function] : invariants->table()->entries) {
      if (name.string() != nullptr && function.function() != nullptr) {
        invariants_.emplace_back(*name.string(), *function.function());
      }
    }
  }
  if (steps_.function() != nullptr) steps_argument_ = offer(false);
  if (!invariants_.empty()) world_argument_ = offer(true);
}

Value ScenarioScript::Impl::bound(const std::string& name, std::size_t arguments_max, bool reads,
                                  std::function<Value(StepArguments&)> run) {
  return host_.function({}, [this, name, arguments_max, reads, run = std::move(run)](std::span<const Value> values) {
    call_line_ = host_.caller_line();
    try {
      StepArguments arguments(scenario, name, values);
      // Before anything happens: a step with an argument too many is not done.
      arguments.at_most(arguments_max);
      if (!reads && judging_) arguments.fail("an invariant may only read");
      if (view_ == nullptr || (!reads && api_ == nullptr)) arguments.fail("is for the run of steps only");
      if (!reads && ++calls_ > calls_max) arguments.fail("more than 100000 steps in one run");
      const int line = call_line_;
      try {
        return run(arguments);
      } catch (const StepError& error) {
        throw lua::CallbackError(name + ": " + error.what());
      } catch (const ArgumentError&) {
        call_line_ = line;
        throw;
      }
    } catch (const ArgumentError& error) {
      throw ScenarioBroken(scenario.path, call_line_, error.what());
    }
  });
}

Value ScenarioScript::Impl::offer(bool readers_only) {
  lua::Table table;
  const std::string prefix = readers_only ? "w." : "s.";
  for (const Named& step : all()) {
    if (readers_only && !step.reads) continue;
    table.set(step.name, bound(prefix + step.name, step.arguments_max, step.reads,
                               [this, &step](StepArguments& a) { return step.run(*this, a); }));
  }
  return table;
}

Value ScenarioScript::Impl::write_object(const OperationState& state) {
  lua::Table object = step_values::operation(state);
  const std::pair<const char*, WritePart> parts[] = {{"mint", WritePart::mint},
                                                     {"commit", WritePart::commit},
                                                     {"table_put", WritePart::table_put},
                                                     {"announce", WritePart::announce}};
  for (const auto& [name, part] : parts) {
    object.set(name, bound(std::string("write.") + name, 2, false,
                           [this, id = state.operation, part = part](StepArguments& arguments) {
                             arguments.skip_self();
                             return done(api().write_part(id, part, arguments.stop()));
                           }));
  }
  return object;
}

void ScenarioScript::Impl::broken(const lua::FileError& error) const {
  std::string text = error.what();
  // A misspelt step is a call of a field that is nil.
  constexpr std::string_view begin = "attempt to call field '";
  if (text.rfind(begin, 0) == 0) {
    const std::string name = text.substr(begin.size(), text.find('\'', begin.size()) - begin.size());
    const std::string meant = nearest(name, step_names(false));
    if (!meant.empty() && meant != name) text += "; did you mean '" + meant + "'?";
  }
  throw ScenarioBroken(scenario.path, error.line, text);
}

std::vector<Value> ScenarioScript::Impl::call(lua::FunctionRef function, const Value& argument) {
  try {
    return host_.call(function, std::span<const Value>(&argument, 1));
  } catch (const lua::FileError& error) {
    broken(error);
  }
}

void ScenarioScript::Impl::run_steps(StepsApi& api) {
  if (steps_.function() == nullptr) return;
  struct Running {
    Impl& impl;
    ~Running() {
      impl.api_ = nullptr;
      impl.view_ = nullptr;
    }
  } const running{*this};
  api_ = &api;
  view_ = &api.view();
  calls_ = 0;
  call(*steps_.function(), steps_argument_);
}

std::optional<BrokenInvariant> ScenarioScript::Impl::check_invariants(const WorldView& view) {
  if (invariants_.empty() || judging_) return std::nullopt;
  struct Judging {
    Impl& impl;
    const WorldView* before;
    ~Judging() {
      impl.view_ = before;
      impl.judging_ = false;
    }
  } const judging{*this, view_};
  view_ = &view;
  judging_ = true;
  for (const auto& [name, function] : invariants_) {
    const std::vector<Value> answer = call(function, world_argument_);
    if (!answer.empty() && answer[0].truthy()) continue;
    const bool says = answer.size() > 1 && answer[1].string() != nullptr;
    return BrokenInvariant{name, says ? *answer[1].string() : "the invariant " + name + " does not hold"};
  }
  return std::nullopt;
}

ScenarioScript::ScenarioScript(const Scenario& scenario) : impl_(std::make_unique<Impl>(scenario)) {}
ScenarioScript::~ScenarioScript() = default;
void ScenarioScript::run_steps(StepsApi& api) { impl_->run_steps(api); }
std::optional<BrokenInvariant> ScenarioScript::check_invariants(const WorldView& view) {
  return impl_->check_invariants(view);
}

std::vector<std::string> step_names(bool readers_only) {
  std::vector<std::string> names;
  for (const auto& step : ScenarioScript::Impl::all()) {
    if (!readers_only || step.reads) names.push_back(step.name);
  }
  return names;
}

}  // namespace cohsim
