// The campaign itself: wrong answers planted in the fake are found, and shrunk to a few commands. Runs beside a real
// redis-server (scripts/deps.sh installs it).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>

#include "fidelity/campaign.h"
#include "fidelity/real_server.h"
#include "fidelity/verdicts.h"
#include "lua/collation.h"
#include "lua/interpreter.h"
#include "lua/script_source.h"
#include "testing/catch.h"

using namespace cohsim;
using namespace cohsim::fidelity;

namespace {

using Args = std::vector<std::string>;

constexpr const char* redis_server = "/usr/bin/redis-server";

bool called(const Args& args, std::string_view name) {
  return std::find(args.begin(), args.end(), name) != args.end();
}

/// Exchanges a text in the replies to a command (empty: to all).
FakeConnections::Spoil replies(std::string command, std::string right, std::string wrong) {
  return {{}, [=](const Args& args, std::string& bytes) {
            const std::size_t place = command.empty() || called(args, command) ? bytes.find(right) : std::string::npos;
            if (place != std::string::npos) bytes.replace(place, right.size(), wrong);
          }};
}

/// The command that runs has another word than the one that was sent.
FakeConnections::Spoil words(std::string command, std::string right, std::string wrong) {
  return {[=](Args& args) {
            if (called(args, command)) std::replace(args.begin(), args.end(), right, wrong);
          },
          {}};
}

FakeConnections::Spoil without(std::string command, std::string word) {
  return {[=](Args& args) {
            if (called(args, command)) std::erase(args, word);
          },
          {}};
}

struct Planted {
  const char* name;
  FakeConnections::Spoil spoil;
};

std::vector<Planted> planted() {
  return {{"WRONGTYPE in other words", replies("", "WRONGTYPE Operation against a key", "WRONGTYPE operation against a key")},
          {"EXPIRE does not know GT", without("EXPIRE", "GT")},
          {"SETNX stores whatever there is, and says so", replies("SETNX", ":0", ":1")},
          {"GETDEL leaves the row", words("GETDEL", "GETDEL", "GET")},
          {"RENAME is a COPY", words("RENAMENX", "RENAMENX", "COPY")},
          {"ZADD forgets GT", without("ZADD", "GT")},
          {"COPY needs no REPLACE", without("COPY", "REPLACE")},
          {"SET forgets GET", without("SET", "GET")},
          {"a null of RESP3 is spelt as RESP2's", replies("", "_\r\n", "$-1\r\n")},
          {"a transaction that cannot run is an empty one", replies("", "-EXECABORT Transaction discarded because of previous errors.", "*0")},
          {"scripts round numbers up", replies("return 3.99", ":3\r\n", ":4\r\n")},
          {"LPOS counts from one", replies("LPOS", ":0\r\n", ":1\r\n")},
          {"an empty list has one item", replies("LLEN", ":0\r\n", ":1\r\n")},
          {"PUBLISH counts itself", replies("PUBLISH", ":0\r\n", ":1\r\n")},
          {"LRANGE ends one early", words("LRANGE", "-1", "-2")}};
}

}  // namespace

TEST_CASE("fifteen wrong answers planted in the fake are found, and shrunk to at most four commands") {
  RealServer real(redis_server);
  lua::Interpreter interpreter;
  const std::vector<Planted> all = planted();
  REQUIRE(all.size() == 15);
  for (const Planted& one : all) {
    CampaignSettings settings;
    settings.seeds = {1};
    settings.sequences = 10'000;
    settings.findings_max = 1;
    settings.spoil = one.spoil;
    // The real server's clock, which expiry on it goes by: never reaches a trace.
    settings.now_us = [] { return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count(); };
    Campaign campaign(interpreter, real, settings);
    campaign.run_sequences();
    INFO(one.name);
    REQUIRE(campaign.result().findings.size() == 1);
    const Finding& found = campaign.result().findings.front();
    INFO(found.text);
    CHECK(found.commands <= 4);
    settings.seeds = {std::stoull(found.origin.substr(found.origin.find(' ')))};
    settings.sequences = 1;
    settings.spoil = {};
    Campaign unspoilt(interpreter, real, settings);
    unspoilt.run_sequences();
    CHECK(unspoilt.result().findings.empty());
    std::cout << fmt::format("{}: {}, {} commands\n", one.name, found.origin, found.commands);
  }
}

TEST_CASE("a fake with another script is found by the verdicts") {
  RealServer real(redis_server);
  lua::Interpreter interpreter;
  const std::vector<std::string> versions = adversarial_versions(120);
  REQUIRE(versions.size() == 120);
  const std::string& script = lua::bundled_coherence_drop().text;
  const VerdictResult right = compare_verdicts(interpreter, real, valkey::redis_7_0(), "C", script, versions);
  CHECK(right.pairs == 120 * 120);
  CHECK(right.dropped > 1000);
  CHECK(right.pairs - right.dropped > 1000);
  CHECK(right.differences == std::vector<std::string>{});
  if (!lua::available("en_US.UTF-8")) {
    WARN("SKIPPED: this machine lacks the locale en_US.UTF-8");
    return;
  }
  // The real server compares bytes, the fake by the locale: the harness must see it.
  CHECK_FALSE(compare_verdicts(interpreter, real, valkey::redis_7_0(), "en_US.UTF-8", script, versions).differences.empty());
}

TEST_CASE("at least 2000 versions that are easily compared wrongly") { CHECK(adversarial_versions(2500).size() == 2500); }
