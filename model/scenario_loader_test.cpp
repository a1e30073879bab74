// long because: one table of wrong files and what must be said of each.
#include "model/scenario_loader.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "model/points.h"
#include "model/scenario_loader_bench.h"
#include "model/scenario_steps.h"
#include "model/source_lines.h"
#include "model/units.h"
#include "testing/catch.h"

using namespace cohsim;
using namespace cohsim::loader_bench;

TEST_CASE("one wrong key: file, line, key and what would be right") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"faults = { messages = { dealy = { '1ms', '2s' } } }",
       "faults.messages.dealy: unknown key; did you mean 'delay'?"},
      {"zzzzzzzz = 1", "zzzzzzzz: unknown key"},
      {"'loose'", "[1]: a value without a key; every value here is written `key = value`"},
      {"about = 5", "about: wants a string, not 5"},
      {"about = ''", "about: must not be empty"},
      {"about = 'a\\27[2Jb'", "about: wants text without control characters, not \"a\\x1b[2Jb\""},
      {"about = 'a\\194\\155b'", "about: wants text without control characters, not \"a\\xc2\\x9bb\""},
      {"about = '\\255'", "about: wants UTF-8 text, not \"\\xff\""},
      {"name = 'a b'", "name: a name is 1 to 40 letters, digits, '_' or '-', not \"a b\""},
      {"faults = { messages = { drop = 1.5 } }", "faults.messages.drop: a probability is from 0 to 1, not 1.5"},
      {"faults = { messages = { drop = -0.1 } }", "faults.messages.drop: a probability is from 0 to 1, not -0.1"},
      {"faults = { messages = { drop = 0/0 } }", "faults.messages.drop: a probability is from 0 to 1, not nan"},
      {"faults = { messages = { drop = '5%' } }", "faults.messages.drop: wants a probability from 0 to 1, not \"5%\""},
      {"faults = { messages = { drop = 1e-9 } }",
       "faults.messages.drop: a probability has six decimals at most, not 0.000000001"},
      {"faults = { messages = { delay = '5ms' } }",
       "faults.messages.delay: wants a range { from, to }, as in { \"1ms\", \"2s\" }"},
      {"faults = { messages = { delay = { '2s', '1s' } } }",
       "faults.messages.delay: a range goes from the smaller to the larger"},
      {"faults = { messages = { delay = { '-2s', '1s' } } }",
       "faults.messages.delay[1]: \"-2s\": a duration here cannot be negative"},
      {"faults = { messages = { delay = { '2', '1s' } } }",
       "faults.messages.delay[1]: \"2\": a duration needs a unit: us, ms, s or m"},
      {"faults = 7", "faults: wants a table { … }, not 7"},
      {"faults = { nodes = { power_loss = 0.5 } }",
       "faults.nodes.power_loss: has no effect without faults.nodes.crash"},
      {"faults = { nodes = { down = { '1s', '2s' } } }", "faults.nodes.down: has no effect without faults.nodes.crash"},
      {"faults = { clocks = { step_by = { '-1s', '2s' } } }",
       "faults.clocks.step_by: has no effect without faults.clocks.step"},
      {"faults = { valkey = { keep_rows = true } }",
       "faults.valkey.keep_rows: has no effect without faults.valkey.restart"},
      {"faults = { valkey = { restart = 0.1, keep_rows = 1 } }", "faults.valkey.keep_rows: wants true or false, not 1"},
      {"faults = { handlers = { fail = 0.5 } }",
       "faults.handlers.fail: has no effect without a table whose lane is \"job\""},
      {"faults = { disks = { torn = 0.5 } }", "faults.disks.torn: has no effect without a table whose lane is \"job\""},
      {"faults = { disks = { sync_fail = 2 } }", "faults.disks.sync_fail: a probability is from 0 to 1, not 2"},
      {"fanout = 'per_node'", "fanout: has no effect without a table whose lane is \"job\""},
      {"receiver = 'l2'", "receiver: wants one of \"l1+l2\" or \"l1\", not \"l2\"; did you mean \"l1\"?"},
      {"journal = 'sqlite'", "journal: has no effect without a table whose lane is \"job\""},
      {"bus = 'lua'", "bus: \"lua\" is not built yet; only \"model\", the default, is"},
      {"token = true", "token: wants one of \"attempts\" or \"unique\", not true"},
      {"start = '2026-02-29'",
       "start: wants a date from 2024 to 2090, \"YYYY-MM-DD\" or \"YYYY-MM-DDTHH:MM:SSZ\", not \"2026-02-29\""},
      {"version_kinds = { 'USR', 'x' }", "version_kinds[2]: wants three letters A-Z, not \"x\""},
      {"burst = -1", "burst: wants a whole number from 0 to 100000, not -1"},
      {"check = { 'rows_convergee' }", "check[1]: 'rows_convergee' is no property; did you mean 'rows_converge'?"},
      {"check = { 'q' }", "check[1]: 'q' is no property; `cohsim list` names them"},
      {"check = 'rows_converge'", "check: wants a list of strings, as in { \"a\", \"b\" }, not \"rows_converge\""},
      {"expect = 'violates'", "expect: wants \"holds\" or { violates = NAME, also = { … } }, not \"violates\""},
      {"expect = { also = { 'rows_converge' } }", "expect: needs violates = NAME, or is \"holds\""},
      {"expect = { violates = 'rows_converge', also = { 'rows_converge' } }",
       "expect.also: 'rows_converge' is named by violates already"},
      {"quarantine = { ['until'] = '2026-12-31' }", "quarantine: needs because = \"…\""},
      {"quarantine = { ['until'] = 'soon', because = 'x' }",
       "quarantine.until: wants a date \"YYYY-MM-DD\", not \"soon\""},
      {"steps = 5", "steps: wants a function of the steps, not 5"},
      {"invariants = { x = 1 }", "invariants.x: wants a function of the world, not 1"},
      {"invariants = { rows_converge = function() end }",
       "invariants.rows_converge: is the name of a property already; take another"},
  };
  for (const auto& [keys, wanted] : cases) {
    CAPTURE(keys);
    CHECK(problems_of(with(keys)) == "f.lua:3: " + wanted);
  }
}

TEST_CASE("wrong settings of the design: values, and those that have no effect beside one another") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"fill_write = 'leased'",
       "fill_write: wants one of \"unconditional\", \"newer_only\" or \"lease\", not \"leased\"; did you mean \"lease\"?"},
      {"after_drop = 'floor'",
       "after_drop: a floor has no effect without fill_write = \"newer_only\": no other fill looks at it"},
      {"after_drop = 'floor', fill_write = 'lease'",
       "after_drop: a floor has no effect without fill_write = \"newer_only\": no other fill looks at it"},
      {"token = 'unique'", "token: has no effect without a table whose lane is \"job\""},
      {"node_numbers = { 1, 2, 3 }", "node_numbers: wants one number for each of the 2 nodes"},
      {"node_numbers = { 1, 1024 }", "node_numbers[2]: wants a whole number from 0 to 1023, not 1024"},
      {"staleness_bound = '5s'", "staleness_bound: has no effect unless `check` or `expect` names staleness_bounded"},
      {"staleness_bound = '0s'", "staleness_bound: must be at least \"1ms\""},
      {"staleness_bound = 5", "staleness_bound: wants a duration, as in \"5ms\" or \"1.5s\", not 5"},
      {"bounds = 7", "bounds: wants a table { [\"measure\"] = { least, most } }, not 7"},
      {"bounds = { { 1, 2 } }", "bounds: is a table { [\"measure\"] = { least, most } }"},
      {"bounds = { ['dead job'] = { 0, 0 } }", "bounds[\"dead job\"]: is nothing that is counted; did you mean 'dead jobs'?"},
      {"bounds = { commits = 5 }", "bounds[\"commits\"]: wants { least, most }, two whole numbers, not 5"},
      {"bounds = { commits = { 2, 1 } }", "bounds[\"commits\"][2]: wants a whole number from 2 to 4000000000, not 1"},
      {"node_numbers = 7", "node_numbers: wants a list of whole numbers, as in { 1, 2 }, not 7"},
  };
  for (const auto& [keys, wanted] : cases) {
    CAPTURE(keys);
    CHECK(problems_of(with(keys)) == "f.lua:3: " + wanted);
  }
}

TEST_CASE("wrong nodes, tables and workloads") {
  const auto load = [](const std::string& keys) { return problems_of("return scenario {\n" + keys + "\n}"); };
  const std::string steps = "steps = function(s) end, ";
  CHECK(load("nodes = { 'a' }") ==
        "f.lua:1: nothing runs here; give it workload = { operations = … } or steps = function(s) … end");
  CHECK(load(steps) == "f.lua:1: nodes: missing; name the nodes, as in nodes = { \"a\", \"b\" }");
  CHECK(load(steps + "nodes = {}") == "f.lua:2: nodes: is empty; a scenario needs a node");
  CHECK(load(steps + "nodes = {}, faults = { nodes = { crash = 0.1 } }") ==
        "f.lua:2: nodes: is empty; a scenario needs a node\n"
        "f.lua:2: faults.nodes.crash: there is no node that could crash");
  CHECK(load(steps + "nodes = { 'a', 'a' }") == "f.lua:2: nodes[2]: 'a' stands there twice");
  CHECK(load(steps + "nodes = { 'valkey' }") == "f.lua:2: nodes[1]: 'valkey' is not a node; take another name");
  CHECK(load("nodes = { 'a' }, workload = { operations = 1 }") ==
        "f.lua:1: tables: missing; the workload needs a table, as in tables = { users = { kind = \"USR\" } }");
  CHECK(load(steps + "nodes = { 'a' },\ntables = {\nusers = {\nttl = '5'\n} }") ==
        "f.lua:4: tables.users: needs a kind, as in kind = \"USR\"\n"
        "f.lua:5: tables.users.ttl: \"5\": a duration needs a unit: us, ms, s or m");
  CHECK(load(steps + "nodes = { 'a' }, tables = { users = { kind = 'USR', ttl = '1us', lane = 'jop' } }") ==
        "f.lua:2: tables.users.lane: wants one of \"none\", \"broadcast\" or \"job\", not \"jop\"; did you mean "
        "\"job\"?\n"
        "f.lua:2: tables.users.ttl: must be at least \"1ms\"");
  CHECK(load(steps + "nodes = { 'a' }, workload = { over = '1s' }") ==
        "f.lua:2: workload.over: has no effect without workload.operations");
  CHECK(load("nodes = { 'a' }, tables = { u = { kind = 'USR' } }, workload = { operations = 1, mix = { put = 0 } }") ==
        "f.lua:2: workload.mix: at least one weight must be above 0");
  CHECK(
      load("nodes = { 'a' }, tables = { u = { kind = 'USR' } }, workload = { operations = 1, mix = { replay = 1 } }") ==
      "f.lua:2: workload.mix.replay: has no effect without a table whose lane is \"job\"");
}

TEST_CASE("what is wrong with a file as a whole") {
  CHECK(problems_of("return 5") == "f.lua: returns 5; a scenario file ends with `return scenario { … }`");
  CHECK(problems_of("") == "f.lua: returns nothing; a scenario file ends with `return scenario { … }`");
  CHECK(problems_of("return { nodes = {} }") ==
        "f.lua: returns a table; a scenario file ends with `return scenario { … }`");
  CHECK(problems_of("\nreturn scenario { nodes = }") == "f.lua:2: unexpected symbol near '}'");
  CHECK(problems_of("\nreturn scenario(5)") == "f.lua:2: scenario: wants one table, as in scenario { nodes = … }");
  CHECK(problems_of("\n\nlocal x = nil + 1") == "f.lua:3: attempt to perform arithmetic on a nil value");
  CHECK(problems_of("while true do end") == "f.lua:1: did not end within 10000000 instructions");
  CHECK(problems_of("local t = {} t.t = t return scenario(t)") ==
        "f.lua:1: scenario: tables nested deeper than 32 levels, or one that contains itself");
  CHECK(problems_of("\x1bLuaQ") == "f.lua:1: is compiled Lua, not text");
  CHECK(problems_of("return os.time()") == "f.lua:1: attempt to index global 'os' (a nil value)");
  const std::string good = "scenario { nodes = { 'a' }, steps = function() end }";
  CHECK(problems_of("local x = " + good + "\nreturn " + good) == "f.lua:1: this scenario is made and not returned");
  CHECK(problems_of("local x = " + good + "\nx.about = 'y' return x") ==
        "f.lua:1: set keys inside scenario { … }, not afterwards");
  CHECK(problems_of("return { " + good + ",\n" + good + "}") ==
        "f.lua:1: name: missing; each scenario of a list needs its own name\n"
        "f.lua:2: name: missing; each scenario of a list needs its own name");
  const std::string named = "scenario { name = 'x', nodes = { 'a' }, steps = function() end }";
  CHECK(problems_of("return { " + named + ",\n" + named + "}") ==
        "f.lua:2: name: 'x' is the name of another scenario of this file, in line 1");
}

TEST_CASE("a verdict must suit its folder") {
  const std::string violates = with("expect = { violates = 'rows_converge' }");
  CHECK(problems_of(violates, "s/guarantees/x.lua") ==
        "s/guarantees/x.lua:3: expect: a scenario in guarantees/ must hold; one that violates belongs in hazards/");
  CHECK(problems_of(with(""), "hazards/x.lua") ==
        "hazards/x.lua:1: expect: a scenario in hazards/ must say what it violates; one that holds belongs in "
        "guarantees/");
  CHECK(problems_of(violates, "s/hazards/x.lua").empty());
  CHECK(problems_of(with(""), "s/guarantees/x.lua").empty());
  // The innermost folder decides.
  CHECK(problems_of(with(""), "/x/hazards/s/guarantees/x.lua").empty());
  CHECK(problems_of(violates, "guarantees/s/hazards/more/x.lua").empty());
  CHECK(problems_of(with(""), "hazards/s/regressions/x.lua").empty());
}

TEST_CASE("the random scenario of the format loads, value by value") {
  const Scenario s = loaded(R"(
return scenario {
  about  = "Every message may be late.",
  nodes  = { "a", "b", "c" },
  tables = {
    users = { kind = "USR", lane = "broadcast", ttl = "5s", jitter = 0.1, names = 3 },
    money = { kind = "WAL", lane = "job", ttl = "1.5s", names = 2 },
  },
  workload = { operations = 200, over = "2m", mix = { put = 3, fetch = 10, invalidate = 1, replay = 1, compact = 1 } },
  faults = {
    messages    = { drop = 0.05, duplicate = 0.10, delay = { "1ms", "2s" } },
    connections = { reset = 0.01 },
    nodes       = { crash = 0.01, power_loss = 0.2, down = { "10ms", "5s" } },
    clocks      = { offset = { "-250ms", "250ms" }, step = 0.01 },
    valkey      = { restart = 0.002, flush_scripts = 0.01, evict = 0.000001 },
    handlers    = { fail = 1, latency = { "1ms", "2ms" } },
    disks       = { sync_fail = 0.25, torn = 0.5 },
  },
  loader = { latency = { "0us", "3ms" } },
  fanout = "per_node", receiver = "l1", start = "2030-05-05", version_kinds = { "USR", "TXN" }, burst = 10,
  journal = "sqlite", fill_write = "unconditional",
  check  = { "rows_converge" },
  expect = "holds",
  quarantine = { ["until"] = "2026-12-31", because = "slow" },
}
)",
                            "dir/late.lua")
                         .at(0);
  CHECK(s.name == "late");
  CHECK(s.line == 2);
  CHECK(s.nodes == std::vector<std::string>{"a", "b", "c"});
  REQUIRE(s.tables.size() == 2);
  CHECK(s.tables[0].name == "money");
  CHECK(s.tables[0].lane == Lane::job);
  CHECK(s.tables[0].ttl_us == 1'500'000);
  CHECK(s.tables[1].jitter_ppm == 100'000);
  CHECK(s.tables[1].names == 3);
  CHECK(s.workload.operations == 200);
  CHECK(s.workload.over_us == 120 * us_per_s);
  CHECK(s.workload.mix.compact == 1);
  CHECK(s.workload.mix.corrupt == 0);
  CHECK(s.faults.messages.drop == 50'000);
  CHECK(s.faults.messages.delay == DurationRange{1'000, 2'000'000});
  CHECK(s.faults.connections.reset == 10'000);
  CHECK(s.faults.nodes.power_loss == 200'000);
  CHECK(s.faults.clocks.offset == DurationRange{-250'000, 250'000});
  CHECK(s.faults.valkey.restart == 2'000);
  CHECK(s.faults.valkey.evict == 1);
  CHECK(s.faults.handlers.fail == ppm_one);
  CHECK(s.faults.disks.sync_fail == 250'000);
  CHECK(s.faults.disks.torn == 500'000);
  CHECK(s.design.journal == JournalKind::sqlite);
  CHECK(s.faults.handlers.latency.high_us == 2'000);
  CHECK(s.loader.latency.high_us == 3'000);
  CHECK(s.design.fanout == Fanout::per_node);
  CHECK(s.design.receiver == Receiver::l1);
  CHECK(s.design.start_unix_ms == 1'904'169'600'000);
  CHECK(s.design.version_kinds.size() == 2);
  CHECK(s.design.burst == 10);
  CHECK(s.check == std::vector<std::string>{"rows_converge"});
  CHECK_FALSE(s.expect.violates);
  REQUIRE(s.quarantine);
  CHECK(s.quarantine->until == "2026-12-31");
  CHECK_FALSE(s.has_steps);
}

TEST_CASE("a mix that is given is the whole mix, and without one the defaults hold") {
  CHECK(loaded(with("")).at(0).workload.mix.put == 3);
  const Scenario s = loaded(
                         "return scenario { nodes = {'a'}, tables = { u = { kind = 'USR' } }, workload = { operations "
                         "= 1, mix = { fetch = 2 } } }")
                         .at(0);
  CHECK(s.workload.mix.put == 0);
  CHECK(s.workload.mix.fetch == 2);
}

TEST_CASE("lists, steps, invariants and own properties") {
  const std::vector<Scenario> all = loaded(R"(
local function make(n)
  return scenario { name = "case" .. n, nodes = { "a" }, steps = function(s) s.settle() end,
    invariants = { quiet = function(w) return true end },
    expect = { violates = "quiet", also = { "expectation" } } }
end
return { make(2), make(1) }
)");
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "case2");
  CHECK(all[1].place == 1);
  CHECK(all[1].has_steps);
  CHECK(all[1].invariants == std::vector<std::string>{"quiet"});
  CHECK(all[1].expect.violates == "quiet");
}

TEST_CASE("lines of keys survive comments, strings, functions and nested calls") {
  const auto lines = scan_key_lines(R"(local t = { x = 1 } -- scenario { y = 1 }
--[==[ scenario { ]] ]==]
return scenario {
  about = "} { 'quoted' \" {",
  steps = function(s)
    local a, nodes = 1, { faults = 2 }
    if a then for i = 1, 2 do s.put({ tables = 3 }) end end
  end,
  nodes = {
    "a",
    "b",
  }, [ "check" ] =
    { [1] = "x" },
  faults = { messages = {
    drop = (function() return { 1, 2 } end)()[1],
    delay = { "1ms",
      "2ms" } } },
})");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].line == 3);
  CHECK(lines[0].of("about") == 4);
  CHECK(lines[0].of("steps") == 5);
  CHECK(lines[0].of("nodes") == 9);
  CHECK(lines[0].of("nodes[2]") == 11);
  CHECK(lines[0].of("check") == 12);
  CHECK(lines[0].of("faults.messages.drop") == 15);
  CHECK(lines[0].of("faults.messages.delay[2]") == 17);
  CHECK(lines[0].of("faults.messages.other") == 14);
  CHECK(lines[0].of("other") == 3);
}

TEST_CASE("durations are exact") {
  std::string problem;
  const std::vector<std::pair<std::string, DurationUs>> good{
      {"250us", 250}, {"5ms", 5'000},    {"1.5s", 1'500'000},  {"2m", 120'000'000}, {"0s", 0},
      {"0.001ms", 1}, {"0.1s", 100'000}, {"1.50s", 1'500'000}, {"3.0us", 3},        {"43200m", 2'592'000'000'000}};
  for (const auto& [text, us] : good) {
    CAPTURE(text);
    CHECK(parse_duration(text, false, problem) == us);
    CHECK(parse_duration(duration_text(us), false, problem) == us);
  }
  CHECK(parse_duration("-1.5s", true, problem) == -1'500'000);
  CHECK(parse_duration("+5s", true, problem) == 5'000'000);
  for (const char* text : {"", "5", "s", "5 s", "5h", "1.s", ".5s", "1..5s", "0.5us", "1.0001ms", "43201m", "1e3s",
                           "--5s", "99999999999999s", "5s\n"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_duration(text, true, problem));
  }
}

TEST_CASE("dates by the civil calendar") {
  CHECK(parse_date("2026-01-01") == 1'767'225'600'000);
  CHECK(parse_date("2024-02-29") == 1'709'164'800'000);
  CHECK(parse_date("2030-05-05T00:36:02Z") == 1'904'171'762'000);
  CHECK(parse_date("2090-12-31T23:59:59Z") == 3'818'447'999'000);
  for (const char* text : {"2023-12-31", "2091-01-01", "2026-02-29", "2026-13-01", "2026-00-01", "2026-01-00",
                           "2026-1-1", "2026-01-01T24:00:00Z", "2026-01-01 00:00:00", ""}) {
    CAPTURE(text);
    CHECK_FALSE(parse_date(text));
  }
}

TEST_CASE("files: size, kind, absence, order") {
  namespace fs = std::filesystem;
  const fs::path root = fs::temp_directory_path() / ("cohsim_loader_test_" + std::to_string(::getpid()));
  fs::remove_all(root);
  fs::create_directories(root / "b");
  std::ofstream(root / "z.lua") << with("");
  std::ofstream(root / "b" / "y.lua") << "return 1";
  std::ofstream(root / "cohsim.d.lua") << "---@meta";
  std::ofstream(root / "notes.txt") << "no";
  const auto found = find_scenario_files(root.string());
  REQUIRE(found.index() == 0);
  CHECK(std::get<0>(found) == std::vector<std::string>{(root / "b/y.lua").string(), (root / "z.lua").string()});
  CHECK(load_scenarios((root / "z.lua").string(), known).index() == 0);
  const auto message = [&](const fs::path& path) {
    const LoadResult result = load_scenarios(path.string(), known);
    return result.index() == 1 ? std::get<1>(result).at(0).message : "";
  };
  CHECK(message(root) == "is a folder, not a file");
  CHECK(message(root / "none.lua") == "there is no such file");
  REQUIRE(::mkfifo((root / "fifo.lua").c_str(), 0600) == 0);
  CHECK(message(root / "fifo.lua") == "is not a regular file");
  std::ofstream(root / "big.lua") << std::string(scenario_bytes_max + 1, ' ');
  CHECK(message(root / "big.lua") == "is larger than 1 MiB");
  CHECK(find_scenario_files((root / "none").string()).index() == 1);
  fs::remove_all(root);
}

TEST_CASE("a flood of problems is cut, and says so") {
  std::string keys;
  for (int i = 0; i < 500; ++i) keys.append("k").append(std::to_string(i)).append(" = 1, ");
  const LoadResult result = load_scenarios_text("f.lua", with(keys), known);
  REQUIRE(result.index() == 1);
  CHECK(std::get<1>(result).size() == 201);
  CHECK(std::get<1>(result).back().text() == "f.lua:3: and 300 more problems");
}

TEST_CASE("hostile texts neither crash nor hang") {
  for (const std::string& text :
       {"return " + std::string(200'000, '{'), "return " + std::string(200'000, '('), std::string(1 << 20, '\0'),
        std::string("return scenario { nodes = { '\\255\\254' }, steps = function() end }"),
        "return scenario { ['\\0\\255'] = 1, nodes = {'a'}, steps = function() end }" + std::string(),
        std::string("local s = 'x' while true do s = s .. s end"), std::string("--[["),
        std::string("return scenario { '"),
        std::string("local t = {} for i = 1, 1e9 do t[i] = scenario {} end"), "return scenario { nodes = {" + [] {
          std::string many;
          for (int i = 0; i < 50'000; ++i) many.append("'n").append(std::to_string(i)).append("',");
          return many;
        }() + "}, steps = function() end }"}) {
    CAPTURE(text.substr(0, 60));
    CHECK_FALSE(problems_of(text).empty());
  }
}

TEST_CASE("the type file names every setting, step and point") {
  std::ifstream file(std::string(COHSIM_SOURCE_DIR) + "/scenarios/cohsim.d.lua");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  REQUIRE_FALSE(text.empty());
  const auto fields_of = [&](const std::string& type) {
    const std::size_t begin = text.find("---@class " + type);
    return begin == std::string::npos ? "" : text.substr(begin, text.find("\n\n", begin) - begin);
  };
  for (const SettingInfo& setting : settings_table()) {
    CAPTURE(setting.key);
    CHECK_FALSE(setting.meaning.empty());
    const std::string name = setting.key.substr(setting.key.find_last_of('.') + 1);
    CHECK((text.find("---@field " + name + "? ") != std::string::npos ||
           text.find("---@field " + name + " ") != std::string::npos));
  }
  for (const std::string& step : step_names(false)) {
    CAPTURE(step);
    CHECK((fields_of("Steps") + fields_of("World")).find("---@field " + step + " fun") != std::string::npos);
  }
  for (const std::string& reader : step_names(true)) {
    CAPTURE(reader);
    CHECK(fields_of("World").find("---@field " + reader + " fun") != std::string::npos);
  }
  for (const PointInfo& point : all_points())
    CHECK(text.find('"' + std::string(point.name) + '"') != std::string::npos);
}

TEST_CASE("settings show the defaults of the struct") {
  std::string jitter;
  std::string ttl;
  for (const SettingInfo& setting : settings_table()) {
    if (setting.key == "tables.NAME.jitter") jitter = setting.fallback;
    if (setting.key == "tables.NAME.ttl") ttl = setting.fallback;
  }
  CHECK(jitter == "0.1");
  CHECK(ttl == "\"5s\"");
}

TEST_CASE("a mutated file gives scenarios or problems, never anything else") {
  const std::string good = with(
      "faults = { messages = { drop = 0.05, delay = { '1ms', '2s' } } }, check = { 'rows_converge' },"
      "steps = function(s) s.settle() end, expect = { violates = 'rows_converge' }");
  const std::string alphabet = "{}()[]=,'\"-.09azS \n\\\xff";
  std::uint64_t state = 1;
  const auto draw = [&](std::size_t n) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>((state >> 33U) % n);
  };
  std::size_t loads = 0;
  std::size_t refusals = 0;
  for (int round = 0; round < 1'500; ++round) {
    std::string text = good;
    for (std::size_t changes = draw(3) + 1; changes > 0; --changes) {
      const std::size_t at = draw(text.size());
      const char c = alphabet[draw(alphabet.size())];
      switch (draw(3)) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.insert(at, 1, c);
          break;
        default:
          text.erase(at, draw(10) + 1);
          break;
      }
    }
    const LoadResult result = load_scenarios_text("f.lua", text, known);
    if (result.index() == 0) {
      ++loads;
      CHECK(std::get<0>(result).size() >= 1);
    } else {
      ++refusals;
      CHECK_FALSE(std::get<1>(result).empty());
    }
  }
  CHECK(loads > 20);
  CHECK(refusals > 500);
}
