#include "cli/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include "cli/command.h"
#include "cli/suggest.h"
#include "lua/collation.h"
#include "properties/measures.h"
#include "properties/oracle.h"
#include "properties/run.h"

namespace cohsim::cli {
namespace {

std::string head_commit() {
  const auto close = [](std::FILE* file) { ::pclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> pipe(::popen("git rev-parse HEAD 2>/dev/null", "r"), close);
  std::array<char, 128> line{};
  if (!pipe || std::fgets(line.data(), static_cast<int>(line.size()), pipe.get()) == nullptr) return {};
  return line.data();
}

std::string all_texts(const std::vector<LoadProblem>& problems) {
  std::string text;
  for (const auto& problem : problems) text += (text.empty() ? "" : "\n") + problem.text();
  return text;
}

}  // namespace

std::string default_scenarios() {
  const char* chosen = std::getenv("COHSIM_SCENARIOS");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code failed;
  const std::filesystem::path here = std::filesystem::current_path(failed);
  const std::filesystem::path bundled = COHSIM_SCENARIOS_FOLDER;
  if (failed) return bundled.string();
  const auto relative = bundled.lexically_relative(here);
  return relative.empty() || *relative.begin() == ".." ? bundled.string() : relative.string();
}

std::vector<std::string> scenario_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  std::set<std::string> seen;
  for (const auto& path : paths.empty() ? std::vector<std::string>{default_scenarios()} : paths) {
    auto found = find_scenario_files(path);
    if (const auto* problem = std::get_if<LoadProblem>(&found)) throw UsageError(problem->text());
    for (auto& file : std::get<std::vector<std::string>>(found)) {
      if (seen.insert(std::filesystem::path(file).lexically_normal().string()).second) files.push_back(std::move(file));
    }
  }
  if (files.empty()) {
    throw UsageError(fmt::format("{}: no scenario files (*.lua) there", fmt::join(paths, " ")));
  }
  return files;
}

std::vector<Scenario> load_all(const std::vector<std::string>& files) {
  std::vector<Scenario> scenarios;
  std::vector<LoadProblem> problems;
  const KnownNames known = known_names();
  for (const auto& file : files) {
    auto loaded = load_scenarios(file, known);
    if (auto* found = std::get_if<std::vector<Scenario>>(&loaded)) {
      std::move(found->begin(), found->end(), std::back_inserter(scenarios));
    } else {
      for (auto& problem : std::get<std::vector<LoadProblem>>(loaded)) problems.push_back(std::move(problem));
    }
  }
  if (!problems.empty()) throw UsageError(all_texts(problems));
  return scenarios;
}

Scenario load_one(const std::string& file, const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw UsageError(fmt::format("{}: a folder; name one scenario file of it", file));
  }
  std::vector<Scenario> scenarios = load_all(scenario_files({file}));
  std::vector<std::string> names;
  for (auto& scenario : scenarios) {
    if (name == scenario.name || (name.empty() && scenarios.size() == 1)) return std::move(scenario);
    names.push_back(scenario.name);
  }
  if (name.empty()) {
    throw UsageError(fmt::format("{}: holds several scenarios; give --scenario with one of: {}", file,
                                 fmt::join(names, ", ")));
  }
  throw UsageError(fmt::format("{}: holds no scenario '{}'{}", file, name, did_you_mean(name, names)));
}

std::vector<std::string> property_names() {
  std::vector<std::string> names;
  for (const auto& info : all_properties()) names.emplace_back(info.name);
  return names;
}

KnownNames known_names() {
  KnownNames known;
  known.properties = property_names();
  known.measures = Measures::names();
  return known;
}

void choose_script(std::vector<Scenario>& scenarios, const std::string& script) {
  std::set<std::string> good;
  for (auto& scenario : scenarios) {
    // A scenario that names a script is about that one, such as a variant that mends a hazard.
    if (!script.empty() && scenario.design.script == Design{}.script) scenario.design.script = script;
    if (!good.insert(scenario.design.script).second) continue;
    const auto found = find_script(scenario.design.script);
    if (const auto* problem = std::get_if<ScriptProblem>(&found)) {
      throw UsageError(script.empty() ? fmt::format("{}: script: {}", scenario.path, problem->text)
                                      : fmt::format("--script: {}", problem->text));
    }
  }
}

const valkey::Personality& chosen_personality(const std::string& name) {
  if (const valkey::Personality* found = valkey::find_personality(name)) return *found;
  std::vector<std::string> names;
  for (const valkey::Personality& known : valkey::personalities()) names.emplace_back(known.name);
  throw UsageError(fmt::format("--emulate {}: no such server{} ({})", name, did_you_mean(name, names),
                               fmt::join(names, ", ")));
}

void choose_personality(std::vector<Scenario>& scenarios, const std::string& name) {
  for (auto& scenario : scenarios) scenario.design.emulate = chosen_personality(name).name;
}

std::string default_personality() { return std::string(valkey::valkey_8().name); }

std::string emulate_help() {
  std::vector<std::string_view> names;
  for (const valkey::Personality& known : valkey::personalities()) names.push_back(known.name);
  return fmt::format("Which server is imitated: {}", fmt::join(names, " or "));
}

std::string why_skipped(const Scenario& scenario) {
  if (lua::available(scenario.design.collate)) return {};
  return fmt::format("this machine has no locale '{}' (collate)", scenario.design.collate);
}

std::uint64_t first_seed(const std::string& text) {
  std::uint64_t seed = 0;
  if (text == "commit") {
    const std::string commit = head_commit().substr(0, 12);
    const auto [end, error] = std::from_chars(commit.data(), commit.data() + commit.size(), seed, 16);
    if (error != std::errc() || commit.size() != 12 || end != commit.data() + commit.size()) {
      throw UsageError("--from commit: `git rev-parse HEAD` gives no commit here; give a number");
    }
    return seed;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw UsageError(fmt::format("--from {}: neither a number from 0 nor 'commit'", text));
  }
  return seed;
}

std::int64_t parse_real_ms(const std::string& option, const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double scale = unit == "ms" ? 1 : unit == "s" ? 1e3 : unit == "m" ? 60e3 : unit == "h" ? 3600e3 : 0;
  if (error != std::errc() || scale == 0 || !(number > 0) || number * scale > 1e12 || number * scale < 1) {
    throw UsageError(fmt::format("{} {}: not a duration; write it with a unit, as in 500ms, 60s, 5m, 1h", option, text));
  }
  return static_cast<std::int64_t>(number * scale);
}

}  // namespace cohsim::cli
