// The helper itself: what it reports of a failure finds that failure again.
#include "properties/rapid.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "testing/catch.h"

using namespace cohsim;

namespace {

struct ChildRun {
  int status = 0;
  std::string output;
};

ChildRun run(const std::string& command) {
  ChildRun child;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) child.output.append(buffer.data(), got);
  child.status = pclose(pipe);
  return child;
}

/// From `begin` to the end of that line.
std::string line_from(const std::string& text, const std::string& begin) {
  const std::size_t at = text.find(begin);
  REQUIRE(at != std::string::npos);
  return text.substr(at, text.find('\n', at) - at);
}

bool is_small(std::uint32_t number) { return number < 100'000; }

}  // namespace

TEST_CASE("a property that fails, for the test of the helper's report", "[.][fails]") {
  check_property("every number is small", [](std::uint32_t number) { RC_ASSERT(is_small(number)); });
}

TEST_CASE("a failed property fails its test and prints the command that reproduces it") {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const ChildRun first = run("env -u RC_PARAMS " + program + " '[fails]'");
  INFO(first.output);
  REQUIRE(first.status != 0);
  const std::string seed = line_from(first.output, "RC_PARAMS=\"seed=");
  const std::string found = line_from(first.output, "Falsifiable after ");
  REQUIRE(first.output.find("std::tuple<unsigned int>:\n(100000)") != std::string::npos);

  const ChildRun again = run(seed);
  INFO(again.output);
  REQUIRE(again.status != 0);
  REQUIRE(line_from(again.output, "Falsifiable after ") == found);

  const ChildRun other = run("RC_PARAMS=\"seed=7\" " + program + " '[fails]'");
  REQUIRE(other.output.find("seed 7\n") != std::string::npos);
}

TEST_CASE("a property that holds says how many cases it was tried on") {
  const PropertyOutcome outcome =
      try_property("sums commute", [](int a, int b) { RC_ASSERT(static_cast<long>(a) + b == static_cast<long>(b) + a); });
  REQUIRE(outcome.held);
  REQUIRE(outcome.cases > 0);
}
