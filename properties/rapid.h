// Generated properties inside Catch2 tests: a fixed seed unless RC_PARAMS (RapidCheck's own variable) says otherwise, and
// for every failure the counterexample and the command that finds it again.
#pragma once

#include <rapidcheck.h>

#include <initializer_list>
#include <map>
#include <string>
#include <utility>

namespace cohsim {

/// How hard a property is tried. Builds that run checks of every memory access take a fifth of the cases.
struct Effort {
  int cases = 200;
  int size = 100;  ///< RapidCheck's size at the largest case: lengths of generated lists and the like
};

struct PropertyOutcome {
  bool held = false;
  int cases = 0;
  std::string report;  ///< seed and cases; of a failure also the counterexample and the command that reproduces it
};

[[nodiscard]] PropertyOutcome run_property(const std::string& text, const rc::detail::Property& property,
                                           const Effort& effort);
/// Tries a property without judging it, for tests that expect a failure.
template <class Testable>
[[nodiscard]] PropertyOutcome try_property(const std::string& text, Testable&& testable, const Effort& effort = {}) {
  return run_property(text, rc::detail::toProperty(std::forward<Testable>(testable)), effort);
}

/// Prints the outcome, and fails the running Catch2 test where the property does not hold.
void judge_property(const PropertyOutcome& outcome);

/// The usual one: tries and judges. `testable` takes generated arguments or draws them, and asserts with RC_ASSERT.
template <class Testable>
void check_property(const std::string& text, Testable&& testable, const Effort& effort = {}) {
  judge_property(try_property(text, std::forward<Testable>(testable), effort));
}

/// Counts what the cases of a property came upon, so that a generator that lost its teeth is seen.
class Reached {
 public:
  void note(const std::string& what) { ++counts_[what]; }
  /// Fails the running test if one of `all` was never noted. Says nothing under RC_PARAMS, which may ask for one case.
  void require(std::initializer_list<const char*> all) const;

 private:
  std::map<std::string, std::uint64_t> counts_;
};

}  // namespace cohsim
