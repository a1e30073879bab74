#include <sstream>

#include "reports/commands.h"
#include "reports/escape.h"
#include "reports/replay_trace.h"
#include "reports/trace_jsonl.h"
#include "reports/trace_text.h"
#include "testing/catch.h"

using namespace cohsim;

namespace {

const ActorNames names = [](Actor actor) { return actor == 2 ? std::string("reader") : std::string("world"); };
const When when{41, 1'000'250, 2, {}};
const std::vector<Field> fields = {
    {"node", Field::Kind::integer, 2, {}},
    {"serial", Field::Kind::integer, -3, {}},
    {"ok", Field::Kind::boolean, 1, {}},
    {"before", Field::Kind::absent, 0, {}},
    {"version", Field::Kind::bytes, 0, "USR0KHTOWnGLuC"},
    {"after", Field::Kind::bytes, 0, "USR0KHTOWnGLuCold value"},
    {"bytes", Field::Kind::bytes, 0, std::string_view("\x00\xff\"", 3)},
};

}  // namespace

TEST_CASE("a text line names actors, escapes bytes and shows frames") {
  std::ostringstream out;
  TextTrace(out, names).event(when, "committed", fields);
  CHECK(out.str() ==
        "     41     1.000250 reader   committed          node=reader serial=-3 ok=yes before=- "
        "version=USR0KHTOWnGLuC after=USR0KHTOWnGLuC|\"old value\" bytes=\"\\x00\\xff\\\"\"\n");
}

TEST_CASE("a JSON line holds the same, losslessly") {
  std::ostringstream out;
  JsonlTrace(out, names).event(when, "committed", fields);
  CHECK(out.str() ==
        "{\"step\":41,\"at_us\":1000250,\"actor\":\"reader\",\"event\":\"committed\",\"fields\":{\"node\":\"reader\","
        "\"serial\":-3,\"ok\":true,\"before\":null,\"version\":\"USR0KHTOWnGLuC\","
        "\"after\":\"USR0KHTOWnGLuCold value\",\"bytes\":{\"hex\":\"00ff22\"}}}\n");
}

TEST_CASE("a replay puts violations behind their step and the hash last") {
  Scenario scenario;
  scenario.name = "s";
  scenario.nodes = {"a"};
  std::ostringstream out;
  ReplayTrace trace(out, scenario, TraceFormat::text);
  RunResult result;
  result.hash = 0xabc;
  result.violations = {{"p", 2, 20, "row was erased"}};
  trace.expect(result.violations);
  trace.only_between(2, 3);
  trace.begin(17);
  for (std::uint64_t step = 1; step <= 4; ++step) trace.event({step, 10, 2, {}}, "tick", {});
  trace.end(result, "");
  const std::string text = out.str();
  CHECK(text.find("scenario s, seed 17") == 0);
  CHECK(text.find("      1 ") == std::string::npos);
  CHECK(text.find("      2 ") < text.find("VIOLATED p: row was erased"));
  CHECK(text.find("VIOLATED p") < text.find("      3 "));
  CHECK(text.find("      4 ") == std::string::npos);
  CHECK(text.ends_with("trace hash 0000000000000abc\n"));
}

TEST_CASE("times, words and markup") {
  CHECK(show_time(12'000'345) == "12.000345");
  CHECK(show_time(-1) == "-0.000001");
  CHECK(show_bytes("") == "\"\"");
  CHECK(show_bytes("-") == "\"-\"");  // a bare - is "absent"
  CHECK(shell_word("a/b-c.lua") == "a/b-c.lua");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("") == "''");
  CHECK(xml_escape("<a b=\"c\">&\n\x01") == "&lt;a b=&quot;c&quot;&gt;&amp;\n\\x01");
  CHECK(one_line("a\nb\xc3\xa4\xc3") == "a\\x0ab\xc3\xa4\\xc3");
  CHECK(markdown_escape("a|b_c") == "a\\|b\\_c");
  CHECK(utf8_length("\xed\xa0\x80") == 0);  // a surrogate
  CHECK(utf8_length("\xf4\x90\x80\x80") == 0);
  CHECK(utf8_length("\xf0\x9f\x92\xa5") == 4);
}

TEST_CASE("commands repeat what changed the system under test") {
  GateSettings settings;
  ScenarioResult scenario;
  scenario.name = "b";
  scenario.path = "dir with space/b.lua";
  CHECK(replay_command(settings, scenario, 3) == "cohsim replay 'dir with space/b.lua' --seed 3");
  settings.changes = {"--script", "x.ex:drop"};
  scenario.path_is_shared = true;
  CHECK(replay_command(settings, scenario, 3) ==
        "cohsim replay 'dir with space/b.lua' --seed 3 --scenario b --script x.ex:drop");
  CHECK(shrink_command(settings, scenario, 3).ends_with(" --script x.ex:drop -o b-3.lua"));
}
