#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "cli/clock.h"
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/terminal.h"
#include "fidelity/campaign.h"
#include "fidelity/real_server.h"
#include "lua/interpreter.h"
#include "reports/report_files.h"

namespace cohsim::cli {
namespace {

struct Options {
  std::string server, emulate = "redis-7.0", report;
  std::uint64_t sequences = 10'000, from = 1;
  std::size_t findings = 20;
  bool cases = true;
};

std::vector<fidelity::Case> fixed_cases() {
  const std::string path = COHSIM_CASES;
  std::ifstream file(path);
  if (!file) throw UsageError(path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  fidelity::CaseFile cases = fidelity::parse_cases(text.str());
  if (!cases.problem.empty()) throw UsageError(path + ": " + cases.problem);
  return std::move(cases.cases);
}

ExitCode compare(const Options& options) {
  fidelity::CampaignSettings settings;
  settings.from = options.from;
  settings.sequences = options.sequences;
  settings.findings_max = options.findings;
  settings.personality = &chosen_personality(options.emulate);
  settings.now_us = wall_clock_us;
  if (const std::string why = options.report.empty() ? "" : cannot_write(options.report); !why.empty()) {
    throw UsageError(fmt::format("--report {}: cannot be written: {}", options.report, why));
  }
  const std::vector<fidelity::Case> cases = fixed_cases();
  std::unique_ptr<fidelity::RealServer> real;
  try {
    real = std::make_unique<fidelity::RealServer>(options.server);
  } catch (const fidelity::ServerUnreachable& error) {
    throw UsageError(fmt::format("--server {}", error.what()));
  }
  lua::Interpreter interpreter;
  fidelity::Campaign campaign(interpreter, *real, settings);
  const std::int64_t began_ms = real_ms();
  if (options.cases) campaign.run_cases(cases);
  campaign.run_sequences();
  const std::string text = fidelity::to_text(campaign.result());
  std::cout << plain_text(text);
  const double took_s = std::max(static_cast<double>(real_ms() - began_ms) / 1e3, 1e-3);
  std::cerr << fmt::format("{:.0f} sequences a second\n", static_cast<double>(campaign.result().coverage.sequences) / took_s);
  if (!options.report.empty()) {
    if (const std::string why = write_whole(options.report, text); !why.empty()) {
      throw UsageError(fmt::format("--report {}: not written: {}", options.report, why));
    }
  }
  if (!campaign.result().findings.empty()) return ExitCode::failed;
  if (campaign.result().coverage.sequences == 0) {
    std::cerr << "nothing could be compared: this says nothing about the fake\n";
    return ExitCode::failed;
  }
  return ExitCode::ok;
}

}  // namespace

void add_fidelity(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("fidelity", "The same commands on the fake and on a real server, replies compared");
  command->add_option("--server", options->server, "Path of a server binary, or HOST:PORT of this machine: it is FLUSHED")->required();
  command->add_option("--sequences,--seeds", options->sequences, "Generated sequences, one a seed")->check(whole_number())->capture_default_str();
  command->add_option("--from", options->from, "First seed")->check(whole_number())->capture_default_str();
  command->add_option("--findings", options->findings, "Ends behind so many differences")->check(whole_number())->capture_default_str();
  command->add_flag("--cases,!--no-cases", options->cases, "The fixed cases first (the default)");
  command->add_option("--emulate", options->emulate, emulate_help())->capture_default_str();
  command->add_option("--report", options->report, "Writes the same text to this file");
  command->footer("exit codes: 0 no difference, 1 differences, 2 bad usage or no server, 3 the simulator is at fault\n"
                  "example:\n  cohsim fidelity --server /usr/bin/redis-server --sequences 100000 --from 7");
  command->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace cohsim::cli
