#include "reports/markdown.h"

#include <fmt/format.h>

#include "reports/commands.h"
#include "reports/escape.h"
#include "reports/text.h"

namespace cohsim {
namespace {

void write_table(std::string& out, const GateResult& result) {
  out += "| scenario | verdict | seeds | distinct interleavings | steps |\n|---|---|---:|---:|---:|\n";
  for (const auto& scenario : result.scenarios) {
    const bool bad = scenario.exit_code != ExitCode::ok;
    const std::string verdict = fmt::format("{}{}", text_of(scenario.verdict),
                                            scenario.quarantined ? " (quarantined)" : "");
    out += fmt::format("| {} | {} | {} | {} | {} |\n", markdown_escape(scenario.name),
                       bad ? fmt::format("**{}**", verdict) : verdict, scenario.runs, scenario.hashes.size(), scenario.steps);
  }
}

void write_counts(std::string& out, std::string_view title, const Counts& counts) {
  if (counts.empty()) return;
  out += fmt::format("- {}:", title);
  std::string_view separator = " ";
  for (const auto& [name, count] : counts) {
    out += separator;
    out += markdown_escape(name) + (count == 0 ? " **never**" : fmt::format(" {}", count));
    separator = ", ";
  }
  out += "\n";
}

// A code block whose fence is longer than any run of backticks in it.
void write_code(std::string& out, const std::string& code) {
  std::string fence = "```";
  while (code.find(fence) != std::string::npos) fence += '`';
  out += fence + "sh\n" + code + fence + "\n";
}

void write_failures(std::string& out, const GateResult& result) {
  if (result.canary.wanted && !result.canary.alive) {
    out += fmt::format("\n### The canary passed\n\n{}: {}\n", markdown_escape(result.canary.property),
                       markdown_escape(result.canary.sentence));
  }
  for (const auto& scenario : result.scenarios) {
    for (const auto& failure : failures_of(result.settings, scenario)) {
      const std::string seed = failure.replay.empty() ? "" : fmt::format(", seed {}", failure.seed);
      out += fmt::format("\n### {}: {}{}\n\n", text_of(scenario.verdict), markdown_escape(scenario.name), seed);
      out += markdown_escape(failure.title) + "\n\n";
      if (!failure.sentence.empty()) out += fmt::format("> {}\n\n", markdown_escape(failure.sentence));
      std::string code;
      if (!failure.replay.empty()) code += failure.replay + "\n";
      if (!failure.shrink.empty()) code += failure.shrink + "\n";
      if (!code.empty()) write_code(out, code);
    }
  }
}

}  // namespace

std::string markdown_report(const GateResult& result) {
  std::string out = fmt::format("## cohsim: {}\n\n", meaning_of(result.exit_code));
  if (result.partial()) out += fmt::format("**{}**\n\n", markdown_escape(partial_line(result)));
  write_table(out, result);
  out += fmt::format("\n- {}\n- {} runs, {} steps, {} s of virtual time\n",
                     markdown_escape(settings_line(result.settings)), result.runs, result.steps,
                     show_time(result.virtual_us));
  write_counts(out, "branches of the script", result.branches);
  write_counts(out, "faults", result.faults);
  write_counts(out, "measures", result.measures);
  write_counts(out, "properties exercised", result.exercised);
  write_failures(out, result);
  return out + fmt::format("\nresults hash `{:016x}`\n", result.results_hash);
}

}  // namespace cohsim
