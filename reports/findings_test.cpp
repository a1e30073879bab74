#include "reports/findings.h"

#include <algorithm>
#include <sstream>

#include "model/scenario_loader.h"
#include "properties/run.h"
#include "reports/scenario_difference.h"
#include "reports/schedule_words.h"
#include "testing/catch.h"

using namespace cohsim;

namespace {

Scenario loaded(const std::string& name, std::string_view text) {
  LoadResult result = load_scenarios_text("scenarios/" + name + ".lua", text, {});
  if (const auto* problems = std::get_if<std::vector<LoadProblem>>(&result)) FAIL(problems->front().text());
  return std::get<std::vector<Scenario>>(result).front();
}

std::string hazard_text(const std::string& settings, const std::string& steps, const std::string& expect) {
  return "return scenario {\n  about = \"A read that began before a write puts the old row back.\",\n"
         "  nodes = { \"writer\", \"reader\" },\n" +
         settings + "  tables = { users = { kind = \"USR\", lane = \"broadcast\", ttl = \"60s\", jitter = 0 } },\n" +
         steps + expect + "}\n";
}

const std::string race =
    "  steps = function(s)\n"
    "    local ada = s.name(\"users\", 1)\n"
    "    s.commit(ada, \"old\")\n"
    "    local flight = s.fetch(\"reader\", ada, { stop_before = \"l1.insert\" })  -- it has the old row\n"
    "    s.put(\"writer\", ada, \"new\")\n"
    "    s.advance(\"1s\")\n"
    "    s.resume(flight)\n"
    "    s.expect(s.l1(\"reader\", ada) ~= nil, \"the old row is back\")\n"
    "  end,\n";
const std::string violated =
    "  expect = { violates = \"fills_respect_invalidations\", also = { \"rows_converge\", \"values_converge\" } },\n";

std::size_t place(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  INFO(part << " in\n" << text);
  CHECK(at != std::string::npos);
  return at;
}

std::string line_with(const std::string& text, const std::string& part) {
  const std::size_t at = place(text, part), begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

}  // namespace

TEST_CASE("findings: a schedule tells what races in its order, with columns that hold what the layers hold") {
  const std::string text = finding_text({loaded("hazards/race", hazard_text("", race, violated)), {}});
  std::size_t last = 0;
  for (const char* part :
       {"what happens", "loads v1 \"old\"", "SET v2 \"old\"", "stands still before l1.insert", "commits v3 \"new\"",
        "SET v3 \"new\"", "message v3", "goes on with l1.insert", "L1 takes v2 \"old\"",
        "VIOLATED fills_respect_invalidations", "order     v2 < v1 < v3", "what is violated", "see it"}) {
    const std::size_t at = place(text, part);
    CHECK(at > last);
    last = at;
  }
  CHECK(line_with(text, "seconds ") == "seconds  truth  valkey  writer  reader");
  CHECK(line_with(text, "L1 takes v2").find("v3     v3      v3      v2*     L1") != std::string::npos);
  CHECK(line_with(text, "message v3").find("v3     v3------v3----->|       message") != std::string::npos);
  CHECK(line_with(text, "SET v3").find("v3     v3<-----|       |       SET") != std::string::npos);
  CHECK(text.find("the old row is back") == std::string::npos);  // behind the violation
  CHECK(text.find("request") == std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
}

TEST_CASE("findings: what makes it hold is settings and steps, whatever the files say around them") {
  const Scenario hazard = loaded("hazards/race", hazard_text("", race, violated));
  std::string steps = race;
  steps.replace(steps.find("s.resume(flight)"), 16, "s.expect(s.resume(flight).value == \"old\", \"it is answered\")");
  steps.replace(steps.find("-- it has"), 9, "-- no s.crash(\"writer\"), ");
  const std::string lease = hazard_text("  fill_write = \"lease\",\n", steps, "");
  CHECK(scenario_difference(hazard, loaded("guarantees/race_mended", lease)) ==
        std::vector<std::string>{"+ fill_write = \"lease\","});
  steps.replace(steps.find("s.advance(\"1s\")"), 15, "s.crash(\"writer\") s.advance(\"2s\")");
  const std::vector<std::string> other =
      scenario_difference(hazard, loaded("guarantees/other", hazard_text("", steps, "")));
  CHECK(other == std::vector<std::string>{"- s.advance(\"1s\")", "+ s.crash(\"writer\") s.advance(\"2s\")"});
  CHECK(scenario_difference(hazard, hazard).empty());
}

TEST_CASE("findings: of a random hazard the shortest schedule of many seeds is told, and its seed") {
  const std::string storm =
      "  workload = { operations = 20, over = \"10s\", mix = { put = 1, fetch = 4 } },\n"
      "  faults = { messages = { drop = 0.2 } },\n";
  const Scenario hazard =
      loaded("hazards/storm", hazard_text(storm, "", "  expect = { violates = \"every_node_hears\" },\n"));
  std::uint64_t best = 0, steps = UINT64_MAX, seeds = 0;
  for (std::uint64_t seed = 200; seed >= 1; --seed) {
    const RunResult result = run_once(hazard, seed, {});
    for (const Violation& violation : result.violations) {
      if (violation.property != "every_node_hears") continue;
      ++seeds;
      const std::uint64_t until = violation.step != 0 ? violation.step : result.steps;
      if (until <= steps) best = seed;
      steps = std::min(steps, until);
    }
  }
  REQUIRE(seeds > 1);
  const std::string text = finding_text({hazard, {}});
  place(text, "The schedule of seed " + std::to_string(best) + ", the shortest of the first 200");
  place(text, "--seed " + std::to_string(best) + "\n");
}

TEST_CASE("findings: a long schedule keeps its beginning and its end, and has columns for nodes that act") {
  const std::string steps =
      "  steps = function(s)\n"
      "    local ada = s.name(\"users\", 1)\n"
      "    for i = 1, 40 do\n"
      "      s.put(i % 3 == 0 and \"b\" or \"a\", ada, \"value \" .. i)\n"
      "      if i % 4 == 0 then s.crash(\"a\") s.restart(\"a\") end\n"
      "      if i == 1 then s.fetch(\"c\", ada) end\n"
      "      if i == 9 then s.crash(\"c\") end\n"
      "      if i % 5 == 0 then s.fetch(\"b\", ada) end\n"
      "    end\n"
      "    s.crash(\"b\")\n"
      "    s.expect(false, \"the end\")\n"
      "  end,\n";
  std::string text = hazard_text("", steps, "  expect = { violates = \"expectation\" },\n");
  text.replace(text.find("{ \"writer\", \"reader\" }"), 22, "{ \"idle\", \"a\", \"b\", \"c\" }");
  text.replace(text.find("\"broadcast\""), 11, "\"none\"");
  const std::string told = finding_text({loaded("hazards/long", text), {}});
  CHECK(line_with(told, "seconds ") == "seconds  truth  valkey  a     b     c");
  place(told, "\"value 1\"");
  CHECK(line_with(told, " lines left out").find("... ") != std::string::npos);
  place(told, " lines once more");
  CHECK(line_with(told, "SET v").size() <= 80);
  CHECK(line_with(told, "NOT SO: the end").find("x     x     NOT SO") != std::string::npos);
  const std::string schedule = told.substr(place(told, "seconds "), place(told, "VIOLATED") - place(told, "seconds "));
  CHECK(std::count(schedule.begin(), schedule.end(), '\n') <= 80);
}

TEST_CASE("findings: a hazard that does not show is an error, and no page") {
  const Scenario calm = loaded("hazards/calm", hazard_text("  fill_write = \"lease\",\n", race, violated));
  CHECK_THROWS_WITH(findings_page({{calm, {}}}),
                    "scenarios/hazards/calm.lua: seed 1 does not violate 'fills_respect_invalidations'");
}

TEST_CASE("findings: the page is in the order of weak points, each once, and equal for equal hazards") {
  const auto numbered = [](const std::string& name, const std::string& label) {
    return Finding{loaded("hazards/" + name, "-- " + label + "\n" + hazard_text("", race, violated)), {}};
  };
  const std::vector<Finding> findings{numbered("a_mode", "Failure mode A1."), numbered("b_tenth", "Weak point 10."),
                                      numbered("c_second", "Weak point 2; failure mode A1, A15.")};
  const std::string page = findings_page(findings);
  CHECK(place(page, "\n## c_second\n") < place(page, "\n## b_tenth\n"));
  CHECK(place(page, "\n## b_tenth\n") < place(page, "\n## a_mode\n"));
  CHECK(page.find("\n## c_second\n") == page.rfind("\n## c_second\n"));
  place(page, "| 2 | A1, A15 | [c_second](#c_second) | `fills_respect_invalidations` | A read that began");
  place(page, "**What makes it hold**: no scenario shows that yet.");
  CHECK(page == findings_page(findings));
}

TEST_CASE("findings: the counterpart is what the hazard's comment names, else the mended one") {
  CHECK(counterpart_of(loaded("hazards/race", hazard_text("", race, violated))) == "race_mended");
  CHECK(counterpart_of(loaded("hazards/race", "-- As in guarantees/other_name.lua.\n" +
                                                  hazard_text("", race, violated))) == "other_name");
}

TEST_CASE("findings: words are wrapped at blanks, and times have their sign") {
  CHECK(wrapped("one two  three", 9, " ") == " one two\n three\n");
  CHECK(wrapped("", 9, " ").empty());
  CHECK(counted(1, "file") == "1 file");
  CHECK(counted(0, "file") == "0 files");
  CHECK(shift_text(5 * us_per_s) == "+5 s");
  CHECK(shift_text(-20 * us_per_ms) == "-20 ms");
  CHECK(payload_text("USR0JXbqMYzeMA:USR0JZGkP9ALrs") == "USR0JZGkP9ALrs");
  CHECK(payload_text("no message\n") == "\"no message\\x0a\"");
  CHECK(payload_name("USR0JXbqMYzeMA:USR0JZGkP9ALrs") == "USR0JXbqMYzeMA");
}
