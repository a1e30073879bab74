#include "reports/junit.h"

#include <fmt/format.h>

#include "reports/commands.h"
#include "reports/escape.h"
#include "reports/text.h"

namespace cohsim {
namespace {

enum class Kind : std::uint8_t { passed, failure, error, skipped };

Kind kind_of(const ScenarioResult& scenario) {
  if (scenario.quarantined || scenario.verdict == ScenarioVerdict::skipped) return Kind::skipped;
  switch (scenario.exit_code) {
    case ExitCode::ok: return Kind::passed;
    case ExitCode::failed: return Kind::failure;
    case ExitCode::undecided: return Kind::skipped;
    default: return Kind::error;
  }
}

// The folder of the file: "scenarios/hazards/x.lua" → "scenarios.hazards".
std::string class_of(const std::string& path) {
  const auto slash = path.rfind('/');
  std::string name = slash == std::string::npos ? "cohsim" : path.substr(0, slash);
  while (name.starts_with('/') || name.starts_with("./")) name.erase(0, 1);
  for (char& c : name) {
    if (c == '/') c = '.';
  }
  return name;
}

std::string first_title(const GateSettings& settings, const ScenarioResult& scenario) {
  if (scenario.quarantined) {
    return fmt::format("quarantined until {}: {}", scenario.quarantine->until, scenario.quarantine->because);
  }
  if (!scenario.reason.empty()) return scenario.reason;
  const auto failures = failures_of(settings, scenario);
  return failures.empty() ? std::string(text_of(scenario.verdict))
                          : fmt::format("{}: {}", failures.front().title, failures.front().sentence);
}

std::string body_of(const GateSettings& settings, const ScenarioResult& scenario) {
  std::string body;
  for (const auto& failure : failures_of(settings, scenario)) {
    for (const auto* line : {&failure.title, &failure.sentence, &failure.replay, &failure.shrink}) {
      if (!line->empty()) body += *line + "\n";
    }
  }
  return body;
}

std::string test_case(const GateSettings& settings, const ScenarioResult& scenario) {
  std::string out = fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n", xml_escape(class_of(scenario.path)),
                                xml_escape(scenario.name));
  const std::string title = xml_escape(first_title(settings, scenario));
  switch (kind_of(scenario)) {
    case Kind::passed: break;
    case Kind::skipped: out += fmt::format("      <skipped message=\"{}\"/>\n", title); break;
    case Kind::failure:
    case Kind::error: {
      const std::string_view tag = kind_of(scenario) == Kind::failure ? "failure" : "error";
      out += fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", tag, name_of(scenario.verdict), title,
                         xml_escape(body_of(settings, scenario)));
      break;
    }
  }
  out += fmt::format("      <system-out>{}: {} seeds, {} distinct interleavings, {} steps{}</system-out>\n",
                     text_of(scenario.verdict), scenario.runs, scenario.hashes.size(), scenario.steps,
                     scenario.reason.empty() ? "" : xml_escape(fmt::format("; {}", scenario.reason)));
  return out + "    </testcase>\n";
}

}  // namespace

std::string junit_report(const GateResult& result) {
  std::string cases;
  std::size_t tests = result.scenarios.size(), failures = 0, errors = 0, skipped = 0;
  if (result.canary.wanted) {
    ++tests;
    cases += "    <testcase classname=\"cohsim\" name=\"canary\">\n";
    if (!result.canary.alive) {
      ++errors;
      cases += fmt::format("      <error type=\"canary\" message=\"{}\"/>\n",
                           xml_escape(result.canary.property + ": " + result.canary.sentence));
    }
    cases += "    </testcase>\n";
  }
  for (const auto& scenario : result.scenarios) {
    failures += kind_of(scenario) == Kind::failure;
    errors += kind_of(scenario) == Kind::error;
    skipped += kind_of(scenario) == Kind::skipped;
    cases += test_case(result.settings, scenario);
  }
  std::string summary = settings_line(result.settings) + "\n";
  if (result.partial()) summary += partial_line(result) + "\n";
  summary += fmt::format("results hash {:016x}\n", result.results_hash);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  const std::string totals =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", tests, failures, errors);
  out += fmt::format("<testsuites name=\"cohsim\" {}>\n", totals);
  out += fmt::format("  <testsuite name=\"cohsim gate\" {} skipped=\"{}\">\n", totals, skipped);
  out += fmt::format("    <properties>\n      <property name=\"partial\" value=\"{}\"/>\n    </properties>\n",
                     result.partial());
  out += cases;
  out += fmt::format("    <system-out>{}</system-out>\n", xml_escape(summary));
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace cohsim
