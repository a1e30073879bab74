#include "cli/command.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <new>
#include <sstream>

#include "cli/terminal.h"
#include "sim/scheduler.h"

namespace cohsim::cli {
namespace {

ExitCode complain(ExitCode code, std::string_view text) {
  std::cerr << "cohsim: " << plain_text(text) << '\n';
  return code;
}

ExitCode parse_and_run(int argc, char** argv) {
  CLI::App app("Deterministic simulation gate for cache coherence by newer wins", "cohsim");
  app.set_version_flag("--version", std::string("cohsim ") + COHSIM_VERSION);
  app.require_subcommand(1);
  app.footer("example:\n  cohsim run scenarios/hazards --seeds 50\n`cohsim COMMAND --help` shows an example of each.");
  Action action;
  add_run(app, action);
  add_replay(app, action);
  add_list(app, action);
  add_explain(app, action);
  add_check(app, action);
  add_power(app, action);
  add_serve(app, action);
  add_fidelity(app, action);
  add_unbuilt(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are "errors" of CLI11 with code 0.
    std::ostringstream complaint;
    const int code = app.exit(error, std::cout, complaint);
    std::cerr << plain_text(complaint.str());
    return code == 0 ? ExitCode::ok : ExitCode::usage;
  }
  ExitCode code = action();
  std::cout.flush();
  if (!std::cout) code = worse(code, complain(ExitCode::usage, "standard output cannot be written"));
  return code;
}

}  // namespace

unsigned cores() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

CLI::Validator whole_number() {
  const auto check = [](std::string& text) -> std::string {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    const bool padded = text.size() > 1 && text.front() == '0';
    if (!text.empty() && read.ec == std::errc() && read.ptr == end && !padded) return {};
    return fmt::format("'{}' is no whole number from 0 to 2^64-1, in digits", text);
  };
  return {check, "NUMBER"};
}

ExitCode run_command_line(int argc, char** argv) noexcept {
  try {
    return parse_and_run(argc, argv);
  } catch (const UsageError& error) {
    return complain(ExitCode::usage, error.what());
  } catch (const std::bad_alloc&) {
    return complain(ExitCode::internal, "out of memory");
  } catch (const std::exception& error) {
    return complain(ExitCode::internal, fmt::format("internal error: {}", error.what()));
  }
}

}  // namespace cohsim::cli
