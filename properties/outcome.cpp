#include "properties/outcome.h"

#include <fmt/format.h>

#include <new>
#include <utility>
#include <vector>

namespace cohsim {
namespace {

std::string line_of(const When& when, std::string_view name, std::span<const Field> fields) {
  std::string line = fmt::format("step {} at {} us, actor {}: {}", when.step, when.at, when.actor, name);
  for (const auto& field : fields) {
    line += fmt::format(" {}=", field.key);
    switch (field.kind) {
      case Field::Kind::integer: line += fmt::format("{}", field.integer); break;
      case Field::Kind::boolean: line += field.integer != 0 ? "true" : "false"; break;
      case Field::Kind::absent: line += "-"; break;
      case Field::Kind::bytes:
        for (const char c : field.bytes) {
          if (c > ' ' && c < '\x7f') line += c;
          else line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        }
        break;
    }
  }
  return line;
}

struct RecordingSink final : TraceSink {
  std::vector<std::string> lines;
  void event(const When& when, std::string_view name, std::span<const Field> fields) override {
    lines.push_back(line_of(when, name, fields));
  }
};

// Compares as it goes, so that only one trace is held.
struct ComparingSink final : TraceSink {
  explicit ComparingSink(const std::vector<std::string>& lines) : expected(lines) {}
  const std::vector<std::string>& expected;
  std::size_t at = 0;
  std::string difference;
  void event(const When& when, std::string_view name, std::span<const Field> fields) override {
    if (!difference.empty()) return;
    const std::string line = line_of(when, name, fields);
    if (at >= expected.size()) {
      difference = fmt::format("the first run had ended, the second went on with: {}", line);
    } else if (expected[at] != line) {
      difference = fmt::format("first run: {}; second run: {}", expected[at], line);
    }
    ++at;
  }
};

bool same(const RunResult& a, const RunResult& b) {
  if (a.hash != b.hash || a.steps != b.steps || a.violations.size() != b.violations.size()) return false;
  for (std::size_t i = 0; i < a.violations.size(); ++i) {
    const auto& x = a.violations[i];
    const auto& y = b.violations[i];
    if (x.property != y.property || x.step != y.step || x.sentence != y.sentence) return false;
  }
  return true;
}

std::string first_difference(const RunFunction& run, const Scenario& scenario, std::uint64_t seed,
                             const RunOptions& options) {
  RunOptions recorded = options;
  RecordingSink first;
  recorded.sink = &first;
  (void)run(scenario, seed, recorded);
  ComparingSink second(first.lines);
  recorded.sink = &second;
  (void)run(scenario, seed, recorded);
  if (!second.difference.empty()) return second.difference;
  if (second.at < first.lines.size()) {
    return fmt::format("the second run had ended, the first went on with: {}", first.lines[second.at]);
  }
  return "two more runs, recorded, had the same events: the difference comes and goes, or is in no event";
}

}  // namespace

RunOutcome attempt(const RunFunction& run, const Scenario& scenario, std::uint64_t seed, const RunOptions& options,
                   bool verify) {
  RunOutcome outcome;
  try {
    outcome.result = run(scenario, seed, options);
    if (verify) {
      const RunResult again = run(scenario, seed, options);
      if (!same(outcome.result, again)) {
        outcome.fault = fmt::format("nondeterminism: hashes {:016x} and {:016x}; {}", outcome.result.hash, again.hash,
                                    first_difference(run, scenario, seed, options));
      }
    }
  } catch (const std::bad_alloc&) {
    outcome.fault = "out of memory";
  } catch (const std::exception& error) {
    outcome.fault = fmt::format("internal error: {}", error.what());
  } catch (...) {
    outcome.fault = "internal error: an exception that is no std::exception";
  }
  outcome.result.seed = seed;
  return outcome;
}

}  // namespace cohsim
