// Every case of server_cases.txt on a fresh fake, under both personalities, frame by frame.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "fidelity/case_file.h"
#include "fidelity/fake_connections.h"
#include "lua/collation.h"
#include "lua/interpreter.h"
#include "testing/catch.h"

using namespace cohsim;
using namespace cohsim::fidelity;

namespace {

std::string file_text(const std::string& name) {
  std::ifstream file(fmt::format("{}/fidelity/{}", COHSIM_SOURCE_DIR, name));
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What is wrong, or nothing.
std::string run_case(const Case& fixed, const valkey::Personality& personality) {
  lua::Interpreter interpreter;  // cjson's settings live as long as it does
  FakeConnections fake(interpreter, personality, fixed.locale, speed_of_case(fixed.name));
  std::map<int, std::string> sent;
  for (const Step& step : fixed.steps) {
    if (step.kind == Step::Kind::sleep) {
      fake.sleep_ms(step.sleep_ms);
    } else if (step.kind == Step::Kind::send) {
      sent[step.connection] = command_line(step.connection, step.args);
      fake.send(step.connection, step.args);
      if (!fake.server().not_simulated().empty()) return "not simulated: " + fake.server().not_simulated();
    } else {
      const auto got = fake.take(step.connection);
      const auto& expected = step.expected(&personality == &valkey::valkey_8());
      if (matches(expected, got)) continue;
      return fmt::format("line {}: {}\n   expected {}\n   got      {}", step.line, sent[step.connection],
                         frame_line(step.connection, expected), frame_line(step.connection, got));
    }
  }
  return "";
}

}  // namespace

TEST_CASE("every case that real servers were seen to answer comes out of the fake, but for the open ones") {
  const CaseFile file = parse_cases(file_text("server_cases.txt"));
  REQUIRE(file.problem.empty());
  REQUIRE(file.cases.size() == 83);
  std::map<std::string, std::string> open = parse_open_cases(file_text("open_cases.txt"));
  for (const valkey::Personality& personality : valkey::personalities()) {
    for (const Case& fixed : file.cases) {
      const std::string key = std::string(personality.name) + ' ' + fixed.name;
      const bool listed = open.erase(key) != 0;
      if (!lua::available(fixed.locale)) {
        std::cout << "SKIPPED: " << key << ": this machine lacks the locale " << fixed.locale << '\n';
        continue;
      }
      const std::string wrong = run_case(fixed, personality);
      INFO(key << "\n" << wrong);
      if (listed) {
        if (wrong.empty()) FAIL_CHECK("passes now: delete its line from fidelity/open_cases.txt");
      } else {
        CHECK(wrong.empty());
      }
    }
  }
  INFO("listed as open, but there is no such case: " << (open.empty() ? "" : open.begin()->first));
  CHECK(open.empty());
}

TEST_CASE("a case file that is none is refused with its line") {
  const auto problem = [](const char* text) { return parse_cases(text).problem; };
  CHECK(problem("c1> [\"GET\"]") == "line 1: stands before the first '## case'");
  CHECK(problem("## case a: b\n\nc1> [\"GET\"") == "line 3: ']' is missing");
  CHECK(problem("## case a: b\nc1> [\"GE") == "line 2: a string does not end");
  CHECK(problem("## case a: b\nc1< \"\\u0100\"") == "line 2: \\u needs four hexadecimal digits, at most 00ff");
  CHECK(problem("## case a: b\n vk8< \"\"") == "line 2: 'vk8<' follows no 'c1<'");
  CHECK(problem("## case a: b\nwhat") == "line 2: neither a case, nor 'c1>', 'c1<', 'vk8<', '@sleep' or a comment");
  CHECK(problem("## case a: b\nc1>*10001 [\"GET\"]") == "line 2: a number is missing or out of range");
  CHECK(problem(("## case a: b\n# " + std::string(70'000, 'x')).c_str()) == "line 2: longer than 64 KiB");
}

TEST_CASE("case files read what they print") {
  const std::vector<std::string> args{"SET", std::string("k\0\xff\"\\", 5), "\r\n"};
  const auto cases = parse_cases("## case a: b\n" + command_line(2, args) + "\n" + frame_line(2, "+OK\r\n")).cases;
  REQUIRE(cases.size() == 1);
  REQUIRE(cases[0].steps.size() == 2);
  CHECK(cases[0].steps[0].args == args);
  CHECK(cases[0].steps[1].frame == "+OK\r\n");
  CHECK(matches(":@ID@\r\n", ":127\r\n"));
  CHECK_FALSE(matches(":@ID@\r\n", ":\r\n"));
}
