#include "reports/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "properties/run.h"
#include "properties/topic.h"
#include "reports/escape.h"
#include "reports/scenario_difference.h"
#include "reports/schedule_diagram.h"
#include "reports/schedule_words.h"

namespace cohsim {
namespace {

constexpr std::size_t diagram_width = 80;
constexpr std::size_t page_width = 120;
constexpr std::size_t difference_lines_max = 14;
constexpr std::uint64_t seeds_tried = 200;  // of a random hazard, for the one with the shortest way to the violation

std::string comment_of(const Scenario& scenario) {
  const std::string text = scenario.text ? *scenario.text : std::string();
  return text.substr(0, text.find("return scenario"));
}

std::string found(const std::string& text, const char* pattern) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : std::string();
}

/// The labels of docs/failure-modes.md in the first comment of a file; empty: none.
struct Labels {
  std::string weak_point, failure_modes;
  explicit Labels(const Scenario& scenario)
      : weak_point(found(comment_of(scenario), "[Ww]eak points? ([0-9]+)")),
        failure_modes(found(comment_of(scenario), "[Ff]ailure modes? ([A-Z][0-9]+(, [A-Z][0-9]+)*)")) {}
  [[nodiscard]] int order() const { return weak_point.empty() ? INT32_MAX : std::stoi(weak_point); }
  [[nodiscard]] std::string text() const {
    std::string all = weak_point.empty() ? "" : "weak point " + weak_point + " of the design";
    if (failure_modes.empty()) return all;
    return all + (all.empty() ? "" : ", ") + "failure mode " + failure_modes;
  }
};

struct Schedule {
  std::string diagram;
  std::uint64_t seed = 1;
};

struct Section {
  std::string labels, about, source, shown_by, property, meaning, mended_by, mended_about, commands;
  Schedule schedule;
  std::vector<std::string> difference;
};

std::string meaning_of(const std::string& property) {
  if (const PropertyInfo* info = find_property(property)) return std::string(info->holds_when);
  return "what the scenario itself expects (`s.expect`, or an invariant of its file) is true";
}

bool random(const Scenario& hazard) { return hazard.workload.operations != 0; }

const Violation* violation_of(const RunResult& result, const std::string& property) {
  for (const Violation& violation : result.violations) {
    if (violation.property == property) return &violation;
  }
  return nullptr;
}

// A script is short in every seed; of a random hazard, the seed with the fewest steps until it is violated.
std::uint64_t shortest_seed(const Scenario& hazard, const std::string& property) {
  std::uint64_t best = 1, best_steps = UINT64_MAX;
  for (std::uint64_t seed = 1; random(hazard) && seed <= seeds_tried; ++seed) {
    const RunResult result = run_once(hazard, seed, {});
    const Violation* violation = violation_of(result, property);
    if (violation == nullptr) continue;
    const std::uint64_t steps = violation->step != 0 ? violation->step : result.steps;  // 0: at the end
    if (steps >= best_steps) continue;
    best = seed;
    best_steps = steps;
  }
  return best;
}

Schedule schedule_of(const Scenario& hazard) {
  const std::string property = hazard.expect.violates.value_or("");
  const bool about_reads =
      property == "reads_are_monotonic" || property == "read_your_writes" || property == "staleness_bounded";
  const std::uint64_t seed = shortest_seed(hazard, property);
  ScheduleLines lines(hazard, about_reads);
  RunOptions options;
  options.watcher = &lines;
  const RunResult result = run_once(hazard, seed, options);
  if (const Violation* violation = violation_of(result, property)) {
    return {schedule_diagram(hazard, lines, *violation, diagram_width), seed};
  }
  throw std::runtime_error(fmt::format("{}: seed {} does not violate '{}'", hazard.path, seed, property));
}

std::string command_text(const std::string& command, const Scenario& scenario, const std::string& options,
                         const char* shows) {
  const std::string line = fmt::format("cohsim {} {}{}", command, scenario.path, options);
  return fmt::format("{}\n    # {}\n", line, shows);
}

Section section_of(const Finding& finding) {
  const Scenario& hazard = finding.hazard;
  Section section;
  section.labels = Labels(hazard).text();
  section.about = hazard.about;
  section.source = hazard.source;
  section.schedule = schedule_of(hazard);
  section.property = *hazard.expect.violates;
  section.meaning = meaning_of(section.property);
  section.commands =
      command_text("replay", hazard, fmt::format(" --seed {}", section.schedule.seed),
                   "this schedule, event by event") +
      command_text("run", hazard, "", random(hazard) ? "violated in some seeds" : "violated in every seed");
  if (!finding.counterpart) return section;
  section.mended_by = finding.counterpart->name;
  section.mended_about = finding.counterpart->about;
  section.commands += command_text("run", *finding.counterpart, "", "holds in every seed");
  section.difference = scenario_difference(hazard, *finding.counterpart);
  if (section.difference.size() > difference_lines_max) {
    const std::size_t more = section.difference.size() - difference_lines_max;
    section.difference.resize(difference_lines_max);
    section.difference.push_back(fmt::format("... and {} lines more", more));
  }
  return section;
}

std::string joined(const std::vector<std::string>& lines, const std::string& indent) {
  std::string text;
  for (const std::string& line : lines) text += indent + line + '\n';
  return text;
}

std::string shortest_text(const Schedule& schedule) {
  return fmt::format("The schedule of seed {}, the shortest of the first {}; nothing in it is shrunk.", schedule.seed,
                     seeds_tried);
}

std::string markdown_of(const Finding& finding) {
  const Section section = section_of(finding);
  std::string out = fmt::format("\n## {}\n\n", finding.hazard.name);
  if (!section.labels.empty()) out += fmt::format("*{}*\n\n", section.labels);
  out += wrapped(section.about, page_width, "") + "\n";
  if (!section.source.empty()) out += wrapped("Seen: " + section.source + ".", page_width, "") + "\n";
  if (random(finding.hazard)) out += shortest_text(section.schedule) + "\n\n";
  out += fmt::format("```\n{}```\n\n", section.schedule.diagram);
  out += wrapped(fmt::format("**Violates `{}`**: {}.", section.property, section.meaning), page_width, "") + "\n";
  if (section.mended_by.empty()) {
    out += "**What makes it hold**: no scenario shows that yet.\n\n";
  } else {
    out += wrapped(fmt::format("**What makes it hold**, by `{}`: {}", section.mended_by, section.mended_about),
                   page_width, "") +
           "\n";
    out += fmt::format("```diff\n{}```\n\n", joined(section.difference, ""));
  }
  return out + fmt::format("```sh\n{}```\n", section.commands);
}

std::string first_sentence(const std::string& about) {
  return about.substr(0, std::min({about.find(": "), about.find(". "), about.find("; "), about.size() - 1}));
}

}  // namespace

std::string counterpart_of(const Scenario& hazard) {
  if (const Topic* topic = find_topic(hazard.name)) {
    const std::string name = found(std::string(topic->counterpart), "guarantees/([a-z0-9_]+)[.]lua");
    if (!name.empty()) return name;
  }
  const std::string named = found(comment_of(hazard), "guarantees/([a-z0-9_]+)[.]lua");
  return named.empty() ? hazard.name + "_mended" : named;
}

std::string finding_text(const Finding& finding) {
  const Section section = section_of(finding);
  std::string out =
      finding.hazard.name + (section.labels.empty() ? ": a hazard" : ": " + section.labels) + "\n\nwhat happens\n";
  out += wrapped(section.about, diagram_width, "  ");
  if (!section.source.empty()) out += wrapped("seen: " + section.source, diagram_width, "  ");
  out += random(finding.hazard) ? fmt::format("\n{}\n\n", shortest_text(section.schedule))
                                : std::string("\nthe schedule\n\n");
  out += section.schedule.diagram;
  out += fmt::format("\nwhat is violated: {}, which holds when\n", section.property) +
         wrapped(section.meaning, diagram_width, "  ");
  if (!section.mended_by.empty()) {
    out += fmt::format("\nwhat makes it hold: {}\n", section.mended_by) +
           wrapped(section.mended_about, diagram_width, "  ");
    for (const std::string& line : section.difference) out += wrapped(line, diagram_width, "    ");
  }
  out += "\nsee it\n";
  std::istringstream commands(section.commands);
  for (std::string line; std::getline(commands, line);) out += "  " + line + '\n';
  return out;
}

std::string findings_page(const std::vector<Finding>& findings) {
  std::vector<const Finding*> sorted;
  for (const Finding& finding : findings) sorted.push_back(&finding);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Finding* a, const Finding* b) {
    return std::pair(Labels(a->hazard).order(), a->hazard.name) < std::pair(Labels(b->hazard).order(), b->hazard.name);
  });
  std::string out =
      "# Findings: how the design breaks, and what makes it hold\n\n"
      "Written by `scripts/findings.sh` from `scenarios/hazards/` and their counterparts; a test compares it with what they\n"
      "print today. One section a weakness, in the order of `failure-modes.md`; `cohsim explain NAME` prints one of them.\n\n"
      "How to read a schedule: time goes down, a column each for the source of truth, the server and every node's L1. A column\n"
      "shows the version that it holds of the name behind the line (`|`: none, `x`: the node is down); `*` marks where something\n"
      "happens, an arrow what travels, and an arrow that ends in `x` did not arrive. `=>` is what the scenario notes there.\n"
      "Left out: polling, keepalives, what changes nothing, and names that the violation is not about.\n\n"
      "| weak point | failure mode | finding | violates | in short |\n|---:|---|---|---|---|\n";
  for (const Finding* finding : sorted) {
    const Labels labels(finding->hazard);
    out += fmt::format("| {} | {} | [{}](#{}) | `{}` | {} |\n", labels.weak_point, labels.failure_modes,
                       finding->hazard.name, finding->hazard.name, *finding->hazard.expect.violates,
                       markdown_escape(first_sentence(finding->hazard.about)));
  }
  for (const Finding* finding : sorted) out += markdown_of(*finding);
  return out;
}

}  // namespace cohsim
