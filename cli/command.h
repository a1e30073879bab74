// What every subcommand has in common: it declares its options and leaves behind what to do once they are parsed.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <stdexcept>
#include <string>

#include "properties/exit_code.h"

namespace cohsim::cli {

/// What the chosen subcommand does.
using Action = std::function<ExitCode()>;

void add_run(CLI::App& app, Action& action);
void add_replay(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_power(CLI::App& app, Action& action);
void add_serve(CLI::App& app, Action& action);
void add_fidelity(CLI::App& app, Action& action);
/// Those of the contract that answer "not built yet" and exit code 2. They show in no help.
void add_unbuilt(CLI::App& app, Action& action);

/// For options that take a seed or a number of them: digits only, up to 2^64-1. CLI11 by itself reads 010 as octal, and
/// -1 and what is too large as another number.
[[nodiscard]] CLI::Validator whole_number();

/// What --jobs is by default: the cores that this process may use.
[[nodiscard]] unsigned cores();

/// Bad usage, or something that cannot be loaded: exit code 2. The text says what, where, and what would be right.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Parses, runs, and prints what went wrong to stderr. Never throws.
[[nodiscard]] ExitCode run_command_line(int argc, char** argv) noexcept;

}  // namespace cohsim::cli
