// Where scenarios, scripts and seeds come from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/scenario_loader.h"
#include "sim/valkey/personality.h"

namespace cohsim::cli {

/// COHSIM_SCENARIOS where it is set, else the bundled ones; relative to the current folder where they stand below it.
[[nodiscard]] std::string default_scenarios();

/// Every file of the paths (or of the default), each once. Throws UsageError for a path that is none.
[[nodiscard]] std::vector<std::string> scenario_files(const std::vector<std::string>& paths);

/// Loads all of them, or throws UsageError with every problem, one a line.
[[nodiscard]] std::vector<Scenario> load_all(const std::vector<std::string>& files);

/// The one scenario of a file; `name` picks one where it holds several. Throws UsageError.
[[nodiscard]] Scenario load_one(const std::string& file, const std::string& name);

/// Names of all properties, in the order of properties.md.
[[nodiscard]] std::vector<std::string> property_names();
/// The same, for the loader.
[[nodiscard]] KnownNames known_names();

/// Puts `script` (empty: leave as it is) into every scenario that names none of its own, and checks that every script can be had. Throws UsageError.
void choose_script(std::vector<Scenario>& scenarios, const std::string& script);

/// Lets every scenario run on the server of this name (valkey/personality.h). Throws UsageError where there is none.
void choose_personality(std::vector<Scenario>& scenarios, const std::string& name);
[[nodiscard]] std::string default_personality();
/// The same for one server.
[[nodiscard]] const valkey::Personality& chosen_personality(const std::string& name);
/// "Which server is imitated: valkey-8 or redis-7.0".
[[nodiscard]] std::string emulate_help();

/// Why the scenario cannot run on this machine; empty: it can.
[[nodiscard]] std::string why_skipped(const Scenario& scenario);

/// "commit", or a number. Throws UsageError. A commit gives its first twelve hex digits: the same seeds for all who have it.
[[nodiscard]] std::uint64_t first_seed(const std::string& text);

/// "60s", "1.5m", "250ms" in milliseconds. Throws UsageError, naming `option`.
[[nodiscard]] std::int64_t parse_real_ms(const std::string& option, const std::string& text);

}  // namespace cohsim::cli
