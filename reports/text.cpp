#include "reports/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "properties/read_staleness.h"
#include "reports/commands.h"
#include "reports/escape.h"

namespace cohsim {
namespace {

constexpr std::size_t page = 80;
constexpr std::size_t widest_name = 33;

class Writer {
 public:
  explicit Writer(bool color) : color_(color) {}

  void line(std::string_view text = {}) {
    out_ += text;
    out_ += '\n';
  }
  [[nodiscard]] std::string painted(std::string_view text, std::string_view code) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
  // A heading, then the items, wrapped and indented.
  void list(std::string_view heading, const std::vector<std::string>& items) {
    if (items.empty()) return;
    line(heading);
    std::string row(1, ' ');
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string item = fmt::format(" {}{}", items[i], i + 1 < items.size() ? "," : "");
      if (row.size() > 1 && row.size() + item.size() > page) {
        line(row);
        row.resize(1);
      }
      row += item;
    }
    line(row);
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  bool color_;
  std::string out_;
};

std::string_view color_of(const ScenarioResult& scenario) {
  if (scenario.quarantined) return "33";
  switch (scenario.exit_code) {
    case ExitCode::ok:
      return scenario.verdict == ScenarioVerdict::held || scenario.verdict == ScenarioVerdict::violated_as_expected
                 ? "32"
                 : "33";
    case ExitCode::undecided: return "33";
    default: return "31";
  }
}

void write_table(Writer& out, const GateResult& result) {
  std::size_t name = std::string_view("scenario").size();
  for (const auto& scenario : result.scenarios) name = std::max(name, std::min(widest_name, scenario.name.size()));
  out.line(fmt::format("{:<{}} {:<20} {:>6} {:>8} {:>9}", "scenario", name, "verdict", "seeds", "distinct", "steps"));
  for (const auto& scenario : result.scenarios) {
    const std::string verdict = fmt::format("{:<20}", text_of(scenario.verdict));
    out.line(fmt::format("{:<{}} {} {:>6} {:>8} {:>9}{}", scenario.name, name,
                         out.painted(verdict, color_of(scenario)), scenario.runs, scenario.hashes.size(),
                         scenario.steps, scenario.quarantined ? " (quarantined)" : ""));
  }
}

std::vector<std::string> counted(const Counts& counts) {
  std::vector<std::string> items;
  for (const auto& [name, count] : counts) {
    items.push_back(count == 0 ? fmt::format("{} never", name) : fmt::format("{} {}", name, count));
  }
  return items;
}

std::string at_most(std::uint64_t us) { return us == 0 ? "0" : fmt::format("<= {} s", show_time(static_cast<TimeUs>(us))); }

std::vector<std::string> staleness_of(const GateResult& result) {
  const auto measure = [&](const char* name) {
    const auto found = result.measures.find(name);
    return found == result.measures.end() ? std::uint64_t{0} : found->second;
  };
  if (measure("reads") == 0) return {"never read"};
  return {fmt::format("{} reads", measure("reads")), fmt::format("{} stale", measure("stale reads")),
          fmt::format("p50 {}", at_most(staleness_percentile_us(result.staleness, 50))),
          fmt::format("p99 {}", at_most(staleness_percentile_us(result.staleness, 99))),
          fmt::format("longest {} s", show_time(static_cast<TimeUs>(measure("staleness_us_max"))))};
}

// Those of the report's own lines are left out.
Counts listed_measures(const GateResult& result) {
  Counts listed = result.measures;
  for (const char* name : {"reads", "stale reads", "staleness_us_max"}) listed.erase(name);
  return listed;
}

std::uint64_t distinct_of(const GateResult& result) {
  std::uint64_t distinct = 0;
  for (const auto& scenario : result.scenarios) distinct += scenario.hashes.size();
  return distinct;
}

void write_summary(Writer& out, const GateResult& result) {
  out.line();
  out.line(fmt::format("{} runs of {} scenarios, {} distinct interleavings", result.runs, result.scenarios.size(),
                       distinct_of(result)));
  out.line(fmt::format("{} steps, {} s of virtual time", result.steps, show_time(result.virtual_us)));
  out.list("branches of the script", counted(result.branches));
  out.list("faults", counted(result.faults));
  out.list("crashes, by the point their node came to last", counted(result.crash_places));
  out.list("staleness of reads", staleness_of(result));
  out.list("measures", counted(listed_measures(result)));
  std::vector<std::string> exercised, never;
  for (const auto& [name, count] : result.exercised) {
    if (count == 0) never.push_back(name);
    else exercised.push_back(fmt::format("{} {}", name, count));
  }
  out.list("properties exercised", exercised);
  out.list("properties not exercised", never);
  if (result.canary.wanted) {
    out.line(result.canary.alive ? fmt::format("canary: violated {}, as it must", result.canary.property)
                                 : out.painted("canary: PASSED, and must not", "31"));
  }
}

void write_failures(Writer& out, const GateResult& result) {
  if (result.canary.wanted && !result.canary.alive) {
    out.line();
    out.line(out.painted("FAULT: the canary", "31"));
    out.line(fmt::format("  {}: {}", result.canary.property, one_line(result.canary.sentence)));
  }
  for (const auto& scenario : result.scenarios) {
    for (const auto& failure : failures_of(result.settings, scenario)) {
      out.line();
      const std::string seed = failure.replay.empty() ? "" : fmt::format(", seed {}", failure.seed);
      const std::string head = fmt::format("{}: {}{}", text_of(scenario.verdict), scenario.name, seed);
      out.line(out.painted(head, color_of(scenario)));
      if (failure.title != text_of(scenario.verdict)) out.line(fmt::format("  {}", failure.title));
      if (!failure.sentence.empty()) out.line(fmt::format("  {}", failure.sentence));
      if (!failure.replay.empty()) out.line(fmt::format("  {}", failure.replay));
      if (!failure.shrink.empty()) out.line(fmt::format("  {}", failure.shrink));
      if (scenario.quarantined) {
        out.line(fmt::format("  quarantined until {}: {}", scenario.quarantine->until,
                             one_line(scenario.quarantine->because)));
      }
    }
  }
}

// What did not fail, and should be known all the same.
void write_notes(Writer& out, const GateResult& result) {
  std::vector<std::string> notes;
  for (const auto& scenario : result.scenarios) {
    if (scenario.exit_code != ExitCode::ok || scenario.quarantined || scenario.reason.empty()) continue;
    notes.push_back(fmt::format("  {}: {}: {}", scenario.name, text_of(scenario.verdict), one_line(scenario.reason)));
  }
  if (notes.empty()) return;
  out.line();
  out.line("notes");
  for (const auto& note : notes) out.line(note);
}

}  // namespace

std::string settings_line(const GateSettings& settings) {
  std::string line = fmt::format("seeds {}..{}", settings.from, settings.from + settings.seeds - 1);
  if (settings.from != 1) line += fmt::format(" (hazards 1..{})", settings.seeds);
  if (settings.shard.count > 1) line += fmt::format(", shard {}/{}", settings.shard.index, settings.shard.count);
  if (!settings.only.empty()) line += fmt::format(", only {}", fmt::join(settings.only, " "));
  if (settings.strict) line += ", strict";
  if (settings.verify_determinism) line += ", each seed twice";
  if (!settings.changes.empty()) {
    line += ",";
    for (const auto& word : settings.changes) line += fmt::format(" {}", shell_word(word));
  }
  return line;
}

std::string partial_line(const GateResult& result) {
  std::string line;
  switch (result.ended) {
    case Ended::whole: return {};
    case Ended::budget: line = "PARTIAL: the budget ended before every seed had run"; break;
    case Ended::fail_fast: line = "PARTIAL: stopped at the first failure"; break;
    case Ended::interrupted: line = "PARTIAL: interrupted"; break;
  }
  if (result.in_progress.empty()) return line;
  return fmt::format("{}; given up while under way: {}", line, fmt::join(result.in_progress, ", "));
}

std::string text_report(const GateResult& result, bool color) {
  Writer out(color);
  out.line(settings_line(result.settings));
  out.line();
  write_table(out, result);
  write_summary(out, result);
  write_notes(out, result);
  write_failures(out, result);
  out.line();
  if (result.partial()) out.line(out.painted(partial_line(result), "33"));
  out.line(fmt::format("exit code {}: {}", to_int(result.exit_code), meaning_of(result.exit_code)));
  out.line(fmt::format("results hash {:016x}", result.results_hash));
  return out.take();
}

}  // namespace cohsim
