#include "properties/rapid.h"

#include <fmt/format.h>
#include <rapidcheck/detail/Configuration.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "testing/catch.h"

namespace cohsim {

namespace {

constexpr std::uint64_t fixed_seed = 20'240'101;  // the first day of the snowflakes' epoch

const char* params_given() { return std::getenv("RC_PARAMS"); }

// Only optimised builds define NDEBUG; the sanitizers' build is not one.
int scaled(int cases) {
#ifdef NDEBUG
  return cases;
#else
  return std::max(1, cases / 5);
#endif
}

// RapidCheck reads RC_PARAMS once by itself and tells a seed that we do not use: one draws from the machine, we do not.
void silence_rapidcheck() {
  static const bool done = [] {
    std::streambuf* const errors = std::cerr.rdbuf(nullptr);
    static_cast<void>(rc::detail::configuration());
    std::cerr.rdbuf(errors);
    std::cerr.clear();
    return true;
  }();
  static_cast<void>(done);
}

rc::detail::TestParams parameters(const Effort& effort) {
  rc::detail::Configuration defaults;
  defaults.testParams.seed = fixed_seed;
  defaults.testParams.maxSuccess = scaled(effort.cases);
  defaults.testParams.maxSize = effort.size;
  if (params_given() == nullptr) return defaults.testParams;
  return rc::detail::configFromString(params_given(), defaults).testParams;
}

/// The name of the running test as a shell word that Catch2 takes for exactly that test.
std::string test_word() {
  std::string word = "'";
  for (const char c : Catch::getResultCapture().getCurrentTestName()) {
    if (c == ',' || c == '[' || c == '\\') word += '\\';
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return word + "'";
}

std::string command(const rc::detail::TestParams& params) {
  return fmt::format("RC_PARAMS=\"seed={} max_success={} max_size={}\" {} {}", params.seed, params.maxSuccess,
                     params.maxSize, std::filesystem::read_symlink("/proc/self/exe").string(), test_word());
}

}  // namespace

PropertyOutcome run_property(const std::string& text, const rc::detail::Property& property, const Effort& effort) {
  silence_rapidcheck();
  const rc::detail::TestParams params = parameters(effort);
  rc::detail::TestListenerAdapter silent;
  const rc::detail::TestResult result = rc::detail::checkProperty(property, {text, text}, params, silent);
  PropertyOutcome outcome;
  if (result.is<rc::detail::SuccessResult>()) {
    outcome.held = true;
    outcome.cases = result.get<rc::detail::SuccessResult>().numSuccess;
    outcome.report = fmt::format("{}: {} cases, seed {}", text, outcome.cases, params.seed);
    return outcome;
  }
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  outcome.report = fmt::format("{}: does not hold, seed {}\n{}\n\nreproduce with\n  {}\n", text, params.seed,
                               message.str(), command(params));
  return outcome;
}

// Printed past Catch2, which would break the lines of a command that is to be copied.
void judge_property(const PropertyOutcome& outcome) {
  std::cout << outcome.report << std::endl;
  if (!outcome.held) FAIL("a generated property does not hold; the counterexample stands above");
  SUCCEED(outcome.report);
}

void Reached::require(std::initializer_list<const char*> all) const {
  if (params_given() != nullptr) return;
  for (const char* what : all) {
    INFO("no case came upon: " << what);
    CHECK(counts_.count(what) != 0);
  }
}

}  // namespace cohsim
