// Loads scenario files (scenarios/README.md, cohsim.d.lua). A file is judged as a whole: either every scenario of it is
// good, or all its problems are named at once.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/scenario.h"

namespace cohsim {

/// What is wrong with a file, and what would be right.
struct LoadProblem {
  std::string file;
  int line = 0;     ///< from 1; 0: the file as a whole
  std::string key;  ///< path of the key, "faults.messages.delay"; empty: no key in particular
  std::string message;
  /// "scenarios/x.lua:9: faults.messages.dealy: unknown key; did you mean 'delay'?"
  [[nodiscard]] std::string text() const;
  friend bool operator==(const LoadProblem&, const LoadProblem&) = default;
};

/// Names that stand above model/ and that a file may refer to.
struct KnownNames {
  /// Every property; empty: their names are not checked. "expectation" and a scenario's invariants are always known.
  std::vector<std::string> properties;
  /// Every measure, fault and branch that is counted; empty: their names are not checked.
  std::vector<std::string> measures;
};

using LoadResult = std::variant<std::vector<Scenario>, std::vector<LoadProblem>>;

inline constexpr std::size_t scenario_bytes_max = 1U << 20U;

/// Reads and judges one file. Problems are in line order. Scenarios are in the order of the file.
[[nodiscard]] LoadResult load_scenarios(const std::string& path, const KnownNames& known);
/// The same for a text at hand; `path` names it, gives the default name and decides the verdict folder.
[[nodiscard]] LoadResult load_scenarios_text(const std::string& path, std::string_view text, const KnownNames& known);

/// A file's text, as the loader would read it, or why it cannot be read. Needs no second look at the disk afterwards.
[[nodiscard]] std::variant<std::string, LoadProblem> read_scenario_text(const std::string& path);

/// The file itself, or every *.lua below a folder, sorted by bytes of the path (cohsim.d.lua, the type file, apart).
[[nodiscard]] std::variant<std::vector<std::string>, LoadProblem> find_scenario_files(const std::string& path);

/// One key of a scenario file, for `cohsim list --settings`.
struct SettingInfo {
  std::string key;  ///< "faults.messages.drop", "tables.NAME.ttl"
  std::string type;
  std::string fallback;  ///< what holds when it is not given; empty: nothing, or it must be given
  std::string meaning;
  bool built = true;  ///< false: named by the format, and only today's default is simulated
};
/// Every key, made from the very table that the loader reads by.
[[nodiscard]] std::vector<SettingInfo> settings_table();

}  // namespace cohsim
