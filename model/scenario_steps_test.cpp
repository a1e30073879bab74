// long because: one table of steps, a row for each and for each way to misuse it.
#include "model/scenario_steps.h"

#include <map>

#include "model/scenario_loader.h"
#include "testing/catch.h"

using namespace cohsim;

namespace {

/// A world of two nodes in which one row is at every place.
class FakeView final : public WorldView {
 public:
  explicit FakeView(const Scenario& of) : scenario_(of) {}
  const Scenario& scenario() const override { return scenario_; }
  TimeUs now() const override { return 1'500'000; }
  std::size_t node_count() const override { return 2; }
  std::string_view actor_name(Actor) const override { return "?"; }
  bool node_up(Actor node) const override { return node == 2; }
  bool node_left(Actor) const override { return false; }
  const L1Row* l1_row(Actor node, std::uint16_t, std::string_view) const override {
    return node == 2 ? &row_ : nullptr;
  }
  std::vector<std::string> l1_ids(Actor, std::uint16_t) const override { return {}; }
  std::optional<valkey::Row> l2_row(std::uint16_t table, std::string_view) const override {
    if (table == 0) return valkey::Row{"USR0KHTOWnGLuCvalue", 77};
    return valkey::Row{"short", std::nullopt};
  }
  std::vector<std::pair<std::string, valkey::Row>> l2_rows() const override { return {}; }
  const Truth* truth(std::uint16_t, std::string_view) const override { return &truth_; }
  const JournalContents* journal(Actor, std::uint16_t) const override { return &journal_; }
  Counters counters(Actor, std::uint16_t table) const override {
    Counters c;
    c.hits = table == 0 ? 1 : 10;
    c.ring_dropped = dropped;
    return c;
  }
  std::vector<JobView> jobs() const override { return {{"q", "JOB1", "p", "g", JobState::pending, 2, 99}}; }
  std::uint64_t dropped = 0;

 private:
  const Scenario& scenario_;
  L1Row row_{"USR0KHTOWnGLuC", "l1 value", 5};
  Truth truth_{"true value", "USR0KHTOWnGLuC", 3};
  JournalContents journal_{{{4, {4, "JOB1", "id", "v", "q", true}}}, {{"users-1", {"USR0KHTOWnGLuC", 1}}}};
};

std::string text(const std::optional<Point>& stop) {
  return stop ? " stop " + std::string(name_of(*stop)) : std::string();
}

/// Writes down what is called.
class Recorder final : public StepsApi {
 public:
  explicit Recorder(const Scenario& of) : view_(of) {}
  std::vector<std::string> calls;
  FakeView view_;
  std::function<void()> on_settle = [] {};

  OperationState note(const std::string& call, const Stop& stop = {}) {
    calls.push_back(call + text(stop));
    OperationState state;
    state.operation = calls.size();
    state.ended = !stop;
    if (stop) state.stopped_before = name_of(*stop);
    if (!stop) state.outcome = "ok";
    state.version = "USR0KHTOWnGLuC";
    return state;
  }
  static std::string at(Actor node, const NameRef& name) { return std::to_string(node) + " " + name.id; }
  static std::string on(Actor node, std::uint16_t table) { return std::to_string(node) + " t" + std::to_string(table); }

  const WorldView& view() const override { return view_; }
  NameRef name(std::uint16_t table, std::uint32_t n) override {
    return {table, (table == 0 ? "money-" : "users-") + std::to_string(n)};
  }
  OperationState commit(const NameRef& name, const std::string& v) override {
    return note("commit " + name.id + " " + v);
  }
  OperationState put(Actor node, const NameRef& name, const std::string& v, Stop stop) override {
    return note("put " + at(node, name) + " " + v, stop);
  }
  OperationState fetch(Actor node, const NameRef& name, Stop stop) override {
    return note("fetch " + at(node, name), stop);
  }
  OperationState invalidate(Actor node, const NameRef& name, Stop stop) override {
    return note("invalidate " + at(node, name), stop);
  }
  OperationState drop_l2(Actor node, const NameRef& name, const std::string& version, Stop stop) override {
    return note("drop_l2 " + at(node, name) + " " + version, stop);
  }
  OperationState intend(Actor node, const NameRef& name, const std::string& version, Stop stop) override {
    return note("intend " + at(node, name) + " " + version, stop);
  }
  OperationState replay(Actor node, std::uint16_t table, Stop stop) override {
    return note("replay " + on(node, table), stop);
  }
  OperationState compact(Actor node, std::uint16_t table, Stop stop) override {
    return note("compact " + on(node, table), stop);
  }
  OperationState begin_write(Actor node, const NameRef& name, const std::string& v) override {
    return note("write " + at(node, name) + " " + v);
  }
  OperationState write_part(std::uint64_t write, WritePart part, Stop stop) override {
    return note("part " + std::to_string(write) + " " + std::to_string(static_cast<int>(part)), stop);
  }
  std::string mint(Actor node, const std::string& kind) override {
    note("mint " + std::to_string(node) + " " + kind);
    return "minted";
  }
  OperationState resume(std::uint64_t operation, Stop stop) override {
    return note("resume " + std::to_string(operation), stop);
  }
  OperationState state_of(std::uint64_t operation) const override {
    OperationState state;
    state.operation = operation;
    state.outcome = "crashed";
    return state;
  }
  void message(const HandMessage& m) override {
    note("message " + std::to_string(m.from.value_or(0)) + ">" + std::to_string(m.to.value_or(0)) + " t" +
         std::to_string(m.table) + " " + m.bytes);
  }
  OperationState stop_next(Actor node, Point point) override {
    return note("stop_next " + std::to_string(node) + " " + std::string(name_of(point)));
  }
  static std::string shown(const MessageFilter& f) {
    return std::to_string(f.from.value_or(0)) + "," + std::to_string(f.to.value_or(0)) + "," +
           (f.table ? std::to_string(*f.table) : "-") + "," + f.id.value_or("-") + "," + f.version.value_or("-") + "," +
           f.kind.value_or("-");
  }
  void hold(const MessageFilter& filter) override { note("hold " + shown(filter)); }
  std::size_t release(const MessageFilter& filter) override { return note("release " + shown(filter)), 7; }
  std::size_t discard(const MessageFilter& filter) override { return note("discard " + shown(filter)), 8; }
  std::size_t duplicate(const MessageFilter& filter) override { return note("duplicate " + shown(filter)), 9; }
  void crash(Actor node, bool power) override {
    if (node == 3) throw StepError("node 'b' is down already");
    note("crash " + std::to_string(node) + (power ? " power" : " process"));
  }
  void pause(Actor node, DurationUs by) override { note("pause " + std::to_string(node) + " " + std::to_string(by)); }
  void drift(Actor node, std::int32_t ppm) override {
    note("drift " + std::to_string(node) + " " + std::to_string(ppm));
  }
  void away(Actor node, DurationUs by) override { note("away " + std::to_string(node) + " " + std::to_string(by)); }
  void reset(Actor node, std::uint8_t outcome) override {
    note("reset " + std::to_string(node) + " " + std::to_string(outcome));
  }
  void fail_load(Actor node) override { note("fail_load " + std::to_string(node)); }
  void source_lag(DurationUs by) override { note("source_lag " + std::to_string(by)); }
  void fail_handler(Actor node, std::uint32_t handlers) override {
    note("fail_handler " + std::to_string(node) + " " + std::to_string(handlers));
  }
  void fail_sync(Actor node, std::uint32_t syncs) override {
    note("fail_sync " + std::to_string(node) + " " + std::to_string(syncs));
  }
  void restart(Actor node) override { note("restart " + std::to_string(node)); }
  void leave(Actor node) override { note("leave " + std::to_string(node)); }
  void partition(Actor from, Actor to) override { note("cut " + std::to_string(from) + ">" + std::to_string(to)); }
  void heal() override { note("heal"); }
  void clock(Actor node, DurationUs by) override { note("clock " + std::to_string(node) + " " + std::to_string(by)); }
  void advance(DurationUs by) override { note("advance " + std::to_string(by)); }
  void settle() override {
    note("settle");
    on_settle();
  }
  valkey::Reply raw(const std::vector<std::string>& args) override {
    std::string call = "raw";
    for (const std::string& word : args) call.append(" ").append(word);
    note(call);
    using valkey::Reply;
    if (args[0] == "ERR") return Reply::of_error("ERR no");
    if (args[0] == "MGET") return Reply::of_array({Reply::of_bulk("x"), Reply::of_nil(), Reply::of_integer(3)});
    if (args[0] == "GET") return Reply::of_nil();
    return Reply::of_status("OK");
  }
  void valkey_restart(bool keep) override { note(keep ? "valkey_restart keep" : "valkey_restart"); }
  void server_full(DurationUs span) override { note("server_full " + std::to_string(span)); }
  void server_slow(DurationUs span) override { note("server_slow " + std::to_string(span)); }
  void server_hangs(DurationUs span) override { note("server_hangs " + std::to_string(span)); }
  void replica_lag(DurationUs by) override { note("replica_lag " + std::to_string(by)); }
  std::size_t failover(std::uint32_t lose) override { return note("failover " + std::to_string(lose)), lose; }
  void flush_scripts() override { note("flush_scripts"); }
  bool evict(const std::string& key) override { return note("evict " + key), true; }
  void expect(bool holds, const std::string& said, int line) override {
    note("expect " + std::string(holds ? "true " : "false ") + said + " " + std::to_string(line));
  }
};

struct Run {
  std::vector<std::string> calls;
  std::string broken;
};

Scenario scenario_of(const std::string& body, const std::string& more = "") {
  const std::string file =
      "return scenario { nodes = { 'reader', 'b' }, tables = { money = { kind = 'WAL', lane = 'job' }, users = { kind "
      "= "
      "'USR' } }, " +
      more + " steps = function(s) local ada = s.name('users', 1)\n" + body + "\nend }";
  LoadResult result = load_scenarios_text("f.lua", file, {});
  if (result.index() == 1) FAIL(std::get<1>(result).at(0).text());
  return std::get<0>(result).at(0);
}

Run run(const std::string& body) {
  const Scenario scenario = scenario_of(body);
  ScenarioScript script(scenario);
  Recorder api(scenario);
  Run result;
  try {
    script.run_steps(api);
  } catch (const ScenarioBroken& error) {
    result.broken = error.what();
  }
  result.calls = api.calls;
  return result;
}

}  // namespace

TEST_CASE("every step reaches the api with its arguments") {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
      {"s.commit(ada, 'v')", {"commit users-1 v"}},
      {"s.put('reader', ada, 'v\\0')", {std::string("put 2 users-1 v\0", 16)}},
      {"s.put('b', ada, 'v', { stop_before = 'put.l1' })", {"put 3 users-1 v stop put.l1"}},
      {"local f = s.fetch('reader', ada, { stop_before = 'l1.insert' }) s.resume(f, { stop_before = 'l1.insert' })",
       {"fetch 2 users-1 stop l1.insert", "resume 1 stop l1.insert"}},
      {"s.invalidate('b', ada)", {"invalidate 3 users-1"}},
      {"s.drop_l2('b', ada, 'v')", {"drop_l2 3 users-1 v"}},
      {"s.intend('b', ada, 'v')", {"intend 3 users-1 v"}},
      {"s.replay('b') s.replay('b', 'money', { stop_before = 'replay.enqueue' }) s.replay('b', { stop_before = "
       "'replay.enqueue' })",
       {"replay 3 t0", "replay 3 t0 stop replay.enqueue", "replay 3 t0 stop replay.enqueue"}},
      {"s.compact('b', 'money')", {"compact 3 t0"}},
      {"local w = s.write('b', ada, 'v') w.mint() w:commit() w.table_put({ stop_before = 'put.set' }) w.announce()",
       {"write 3 users-1 v", "part 1 0", "part 1 1", "part 1 2 stop put.set", "part 1 3"}},
      {"s.mint('b', 'TXN')", {"mint 3 TXN"}},
      {"s.message { name = { table = 'users', id = 'USR0KHTOWnGLuC' }, version = 'USR0NgWEfAEJfs', to = 'b' }",
       {"message 0>3 t1 USR0KHTOWnGLuC:USR0NgWEfAEJfs"}},
      {"s.message { table = 'money', bytes = 'junk', from = 'b' }", {"message 3>0 t0 junk"}},
      {"s.stop_next('b', 'job.handle')", {"stop_next 3 job.handle"}},
      {"s.hold { from = 'reader', name = ada, version = 'v', kind = 'job' } s.hold()",
       {"hold 2,0,1,users-1,v,job", "hold 0,0,-,-,-,-"}},
      {"assert(s.release { table = 'money' } == 7) assert(s.discard {} == 8) assert(s.duplicate { to = 'b' } == 9)",
       {"release 0,0,0,-,-,-", "discard 0,0,-,-,-,-", "duplicate 0,3,-,-,-,-"}},
      {"s.crash('reader') s.crash('reader', 'power') s.restart('b') s.leave('b')",
       {"crash 2 process", "crash 2 power", "restart 3", "leave 3"}},
      {"s.pause('b', '40s') s.away('b', '5ms')", {"pause 3 40000000", "away 3 5000"}},
      {"s.drift('b', -0.25) s.drift('b', 0)", {"drift 3 -250000", "drift 3 0"}},
      {"s.reset('b') s.reset('b', 'never_runs') s.reset('b', 'runs_late')", {"reset 3 2", "reset 3 1", "reset 3 3"}},
      {"s.fail_load('b') s.source_lag('2s') s.source_lag('0s')", {"fail_load 3", "source_lag 2000000", "source_lag 0"}},
      {"s.fail_handler('b') s.fail_handler('b', 3)", {"fail_handler 3 1", "fail_handler 3 3"}},
      {"s.fail_sync('b') s.fail_sync('reader', 2)", {"fail_sync 3 1", "fail_sync 2 2"}},
      {"s.partition('reader', 'b') s.partition('b', 'valkey', { one_way = true }) s.heal()",
       {"cut 2>3", "cut 3>2", "cut 3>1", "heal"}},
      {"s.clock('b', '+5s') s.clock('b', '-1ms') s.advance('10s') s.settle()",
       {"clock 3 5000000", "clock 3 -1000", "advance 10000000", "settle"}},
      {"assert(s.valkey('SET', 'k', 5) == 'OK') assert(s.valkey('GET', 'k') == nil) assert(s.valkey('ERR').err == 'ERR "
       "no')",
       {"raw SET k 5", "raw GET k", "raw ERR"}},
      {"local r = s.valkey('MGET') assert(r[1] == 'x' and r[2] == false and r[3] == 3)", {"raw MGET"}},
      {"s.valkey_restart() s.valkey_restart { keep = true } s.flush_scripts() assert(s.evict('k'))",
       {"valkey_restart", "valkey_restart keep", "flush_scripts", "evict k"}},
      {"s.server_full('1s') s.server_slow('2s') s.server_hangs('7s') s.replica_lag('5ms') s.server_full('0s')",
       {"server_full 1000000", "server_slow 2000000", "server_hangs 7000000", "replica_lag 5000", "server_full 0"}},
      {"assert(s.failover { lose = 2 } == 2) s.failover { lose = 0 }", {"failover 2", "failover 0"}},
      {"s.expect(nil, 'no')\n\ns.expect(1, 'yes')", {"expect false no 2", "expect true yes 4"}},
  };
  for (const auto& [body, wanted] : cases) {
    CAPTURE(body);
    const Run result = run(body);
    CHECK(result.broken.empty());
    CHECK(result.calls == wanted);
  }
}

TEST_CASE("operations tell how far they came") {
  CHECK(run("local o = s.fetch('b', ada, { stop_before = 'l1.insert' }) assert(o.stopped_before == 'l1.insert' and not "
            "o.ended and o.outcome == nil)")
            .broken.empty());
  CHECK(run("local o = s.fetch('b', ada) assert(o.ended and o.outcome == 'ok' and o.version == 'USR0KHTOWnGLuC' and "
            "o.value "
            "== nil) assert(s.state(o).outcome == 'crashed')")
            .broken.empty());
}

TEST_CASE("readers show the world") {
  for (const char* body :
       {"assert(s.l1('reader', ada).value == 'l1 value')", "assert(s.l1('b', ada) == nil)",
        "assert(s.now() == 1500000)", "local m = s.name('money', 2) assert(m.id == 'money-2' and m.table == 'money')",
        "local r = s.l2(s.name('money', 1)) assert(r.version == 'USR0KHTOWnGLuC' and r.value == 'value' and "
        "r.deadline_ms == 77)",
        "local r = s.l2(ada) assert(r.version == nil and r.bytes == 'short')", "assert(s.truth(ada).serial == 3)",
        "assert(s.applied('b', ada) == 'USR0KHTOWnGLuC')", "assert(s.applied('b', s.name('users', 2)) == nil)",
        "local i = s.intents('b') assert(#i == 1 and i[1].seq == 4 and i[1].enqueued)",
        "assert(s.jobs()[1].state == 'pending' and s.jobs()[1].attempts == 2)",
        "assert(s.counters('b', 'users').hits == 10 and s.counters('b').hits == 11)",
        "assert(s.up('reader') and not s.up('b'))",
        "assert(s.key({ table = 'users', id = 'USR0KHTOWnGLuC' }) == 'ecc:{users}:USR0KHTOWnGLuC')"}) {
    CAPTURE(body);
    CHECK(run(body).broken.empty());
  }
}

TEST_CASE("a step with wrong arguments is not done, and breaks the scenario") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"s.fetch('reeder', ada)", "s.fetch: 'reeder' is no node of this scenario; did you mean 'reader'?"},
      {"pcall(s.fetch, 'reeder', ada)", "s.fetch: 'reeder' is no node of this scenario; did you mean 'reader'?"},
      {"s.fetch('q\\255', ada)", "s.fetch: 'q\\xff' is no node of this scenario; there are: reader or b"},
      {"s.fetch(5, ada)", "s.fetch: wants a node's name, not 5"},
      {"s.fetch('b', 'ada')", "s.fetch: wants a name, as s.name(\"users\", 1) gives it, not \"ada\""},
      {"s.fetch('b', ada, { stop_befor = 'l1.insert' })",
       "s.fetch: 'stop_befor' is no option here; did you mean 'stop_before'?"},
      {"s.fetch('b', ada, { stop_before = 'l1.insrt' })",
       "s.fetch: 'l1.insrt' is no stopping point; did you mean 'l1.insert'?"},
      {"s.fetch('b', ada, { stop_before = 'q' })",
       "s.fetch: 'q' is no stopping point; `cohsim list --points` names them"},
      {"s.fetch('b', ada, nil, 7)", "s.fetch: argument 4, 7, is one too many"},
      {"s.put('b', ada, 5)", "s.put: wants a value, a string, not 5"},
      {"s.name('user', 1)", "s.name: 'user' is no table of this scenario; did you mean 'users'?"},
      {"s.name('users', 0)", "s.name: wants a number, a whole number from 1, not 0"},
      {"s.resume(5)", "s.resume: wants an operation, as s.fetch and its like give it, not 5"},
      {"s.advance('5')", "s.advance: \"5\": a duration needs a unit: us, ms, s or m"},
      {"s.advance('-5s')", "s.advance: \"-5s\": a duration here cannot be negative"},
      {"s.crash('b', 'fire')", "s.crash: a crash is \"process\" or \"power\", not \"fire\""},
      {"s.partition('b', 'b')", "s.partition: wants two different ends"},
      {"s.mint('b')", "s.mint: wants a kind, three letters A-Z, since there is not just one table"},
      {"s.message { name = ada }", "s.message: wants both a name and a version"},
      {"s.message { bytes = 'x' }", "s.message: bytes need a table = …"},
      {"s.hold { kind = 'bcast' }", "s.hold: a kind of message is \"broadcast\" or \"job\", not \"bcast\""},
      {"s.hold { table = 'money', name = ada }", "s.hold: the name is one of another table"},
      {"s.valkey()", "s.valkey: wants a command, as in s.valkey(\"SET\", key, bytes)"},
      {"s.failover()", "s.failover: wants { lose = … }, a whole number from 0 to 1000"},
      {"s.failover { lose = 1.5 }", "s.failover: wants { lose = … }, a whole number from 0 to 1000, not 1.5"},
      {"s.failover { lose = 1001 }", "s.failover: wants { lose = … }, a whole number from 0 to 1000, not 1001"},
      {"s.failover { loose = 1 }", "s.failover: 'loose' is no option here; did you mean 'lose'?"},
      {"s.expect(true)", "s.expect: wants a sentence, a string, not nil"},
      {"s.crash('b')", "s.crash: node 'b' is down already"},
      {"s.fecth('b', ada)", "attempt to call field 'fecth' (a nil value); did you mean 'fetch'?"},
      {"error('plain')", "plain"},
      {"while true do end", "did not end within 10000000 instructions"},
      {"while true do s.now() s.heal() end", "s.heal: more than 100000 steps in one run"},
      {"scenario { nodes = {} }", "scenario: is for the file itself, not for its functions"},
  };
  for (const auto& [body, wanted] : cases) {
    CAPTURE(body);
    const Run result = run(body);
    CHECK(result.broken == "f.lua:2: " + wanted);
    if (result.calls.size() < 10) CHECK(result.calls.empty());
  }
}

TEST_CASE("pcall catches a step that cannot be done, with its place") {
  CHECK(run("local ok, why = pcall(s.crash, 'b') assert(not ok and why == \"f.lua:2: s.crash: node 'b' is down "
            "already\", why)")
            .broken.empty());
}

TEST_CASE("what the api throws otherwise passes through pcall") {
  struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  const Scenario scenario = scenario_of("pcall(s.settle) s.heal()");
  ScenarioScript script(scenario);
  Recorder api(scenario);
  api.on_settle = [] { throw Fault("internal"); };
  CHECK_THROWS_AS(script.run_steps(api), Fault);
  CHECK(api.calls == std::vector<std::string>{"settle"});
}

TEST_CASE("invariants are judged over the world, also while steps run") {
  const Scenario scenario =
      scenario_of("s.settle()",
                  "invariants = { a_fine = function(w) return true end, ring = function(w) return "
                  "w.counters('b').ring_dropped == 0, 'dropped at ' .. w.now() end },");
  ScenarioScript script(scenario);
  Recorder api(scenario);
  CHECK_FALSE(script.check_invariants(api.view_));
  std::optional<BrokenInvariant> broken;
  api.on_settle = [&] {
    api.view_.dropped = 1;
    broken = script.check_invariants(api.view_);
  };
  script.run_steps(api);
  REQUIRE(broken);
  CHECK(broken->name == "ring");
  CHECK(broken->text == "dropped at 1500000");
}

TEST_CASE("an invariant may only read, and its errors break the scenario") {
  const auto broken_by = [](const std::string& invariant) -> std::string {
    const Scenario scenario =
        scenario_of("kept = s\ns.settle()", "invariants = { x = function(w) " + invariant + " end },");
    ScenarioScript script(scenario);
    Recorder api(scenario);
    api.on_settle = [&] { (void)script.check_invariants(api.view_); };
    try {
      script.run_steps(api);
    } catch (const ScenarioBroken& error) {
      return error.what();
    }
    return "";
  };
  CHECK(broken_by("kept.heal() return true") == "f.lua:1: s.heal: an invariant may only read");
  CHECK(broken_by("return w.nothing.x") == "f.lua:1: attempt to index field 'nothing' (a nil value)");
  CHECK(broken_by("return w.l1('c')") == "f.lua:1: w.l1: 'c' is no node of this scenario; there are: reader or b");
  CHECK(broken_by("return true").empty());
}

TEST_CASE("runs of one scenario share nothing") {
  const Scenario scenario = scenario_of("n = (n or 0) + 1 s.advance(n .. 's')");
  for (int i = 0; i < 2; ++i) {
    ScenarioScript script(scenario);
    Recorder api(scenario);
    script.run_steps(api);
    CHECK(api.calls == std::vector<std::string>{"advance 1000000"});
  }
}

TEST_CASE("the right scenario of a list runs") {
  const std::string one = "scenario { name = 'x%', nodes = { 'a' }, steps = function(s) s.advance('%s') end }";
  std::string file = "return { ";
  for (const char digit : {'1', '2'}) {
    for (const char c : one) file += c == '%' ? digit : c;
    file += ", ";
  }
  LoadResult result = load_scenarios_text("f.lua", file + "}", {});
  REQUIRE(result.index() == 0);
  const Scenario& second = std::get<0>(result).at(1);
  ScenarioScript script(second);
  Recorder api(second);
  script.run_steps(api);
  CHECK(api.calls == std::vector<std::string>{"advance 2000000"});
  CHECK_THROWS_AS(ScenarioScript(Scenario()), std::invalid_argument);
}
