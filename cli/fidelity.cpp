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
#include "fidelity/conformance.h"
#include "fidelity/real_server.h"
#include "fidelity/verdicts.h"
#include "lua/collation.h"
#include "lua/interpreter.h"
#include "lua/script_source.h"
#include "reports/report_files.h"

namespace cohsim::cli {
namespace {

struct Options {
  std::string server, emulate = "redis-7.0", report, table;
  std::uint64_t sequences = 10'000;
  std::vector<std::uint64_t> from{1};
  std::size_t findings = 20, versions = 0;
  bool cases = true;
};

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UsageError(path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fidelity::Case> fixed_cases() {
  const std::string path = std::string(COHSIM_FIDELITY_FOLDER) + "/server_cases.txt";
  fidelity::CaseFile cases = fidelity::parse_cases(file_text(path));
  if (!cases.problem.empty()) throw UsageError(path + ": " + cases.problem);
  return std::move(cases.cases);
}

void check_writable(const char* option, const std::string& path) {
  if (path.empty()) return;
  if (const std::string why = cannot_write(path); !why.empty()) {
    throw UsageError(fmt::format("{} {}: cannot be written: {}", option, path, why));
  }
}

void write(const char* option, const std::string& path, const std::string& text) {
  if (path.empty()) return;
  if (const std::string why = write_whole(path, text); !why.empty()) {
    throw UsageError(fmt::format("{} {}: not written: {}", option, path, why));
  }
}

/// At most ten times a second, where stderr is a terminal.
std::function<void(std::uint64_t)> progress_line(const Options& options) {
  if (!progress_possible()) return {};
  return [last_ms = std::int64_t{0}, all = options.sequences * options.from.size()](std::uint64_t done) mutable {
    const std::int64_t now_ms = real_ms();
    if (now_ms - last_ms < 100) return;
    last_ms = now_ms;
    std::cerr << fmt::format("\r{} of {} sequences\x1b[K", done, all) << std::flush;
  };
}

/// The script's verdicts under both collations; the text says what differs. True where nothing does.
bool compare_versions(const Options& options, lua::Interpreter& interpreter, fidelity::Peer& peer, std::string& text) {
  bool same = true;
  const std::vector<std::string> versions = fidelity::adversarial_versions(options.versions);
  for (const std::string& locale : {std::string("C"), std::string("en_US.UTF-8")}) {
    if (!lua::available(locale) || !peer.restart(locale)) {
      text += fmt::format("verdicts under {}: SKIPPED: this machine lacks the locale, or the server is not ours to start\n", locale);
      continue;
    }
    const fidelity::VerdictResult result = fidelity::compare_verdicts(
        interpreter, peer, chosen_personality(options.emulate), locale, lua::bundled_coherence_drop().text, versions);
    for (const std::string& difference : result.differences) text += "DIFFERS: " + difference + '\n';
    text += fmt::format("verdicts under {}: {} pairs of {} versions, {} dropped, {} differences\n", locale, result.pairs,
                        versions.size(), result.dropped, result.differences.size());
    same = same && result.differences.empty();
  }
  peer.restart("C");
  return same;
}

std::string name_of(const std::string& server) { return server.substr(server.rfind('/') + 1); }

ExitCode compare(const Options& options) {
  fidelity::CampaignSettings settings;
  settings.seeds = options.from;
  settings.sequences = options.sequences;
  settings.findings_max = options.findings;
  settings.personality = &chosen_personality(options.emulate);
  settings.now_us = wall_clock_us;
  settings.progress = progress_line(options);
  settings.open_cases = fidelity::parse_open_cases(file_text(std::string(COHSIM_FIDELITY_FOLDER) + "/open_cases.txt"));
  check_writable("--report", options.report);
  check_writable("--table", options.table);
  const std::vector<fidelity::Case> cases = fixed_cases();
  std::unique_ptr<fidelity::RealServer> real;
  try {
    real = std::make_unique<fidelity::RealServer>(options.server);
  } catch (const fidelity::ServerUnreachable& error) {
    throw UsageError(fmt::format("--server {}", error.what()));
  }
  lua::Interpreter interpreter;
  std::string text;
  const bool verdicts_same = options.versions == 0 || compare_versions(options, interpreter, *real, text);
  fidelity::Campaign campaign(interpreter, *real, settings);
  const std::int64_t began_ms = real_ms();
  std::string gone;
  try {
    if (options.cases) campaign.run_cases(cases);
    campaign.run_sequences();
  } catch (const fidelity::ServerUnreachable& error) {
    gone = error.what();
  }
  if (settings.progress) std::cerr << "\r\x1b[K";
  text += fidelity::to_text(campaign.result());
  std::cout << plain_text(text);
  const double took_s = std::max(static_cast<double>(real_ms() - began_ms) / 1e3, 1e-3);
  std::cerr << fmt::format("{:.0f} sequences a second\n", static_cast<double>(campaign.result().coverage.sequences) / took_s);
  write("--report", options.report, text);
  write("--table", options.table, fidelity::conformance_table(campaign.result(), name_of(options.server) + ' ' + real->version()));
  if (!gone.empty()) throw UsageError(fmt::format("--server {}: {}", options.server, gone));
  if (!campaign.result().findings.empty() || !verdicts_same) return ExitCode::failed;
  if (campaign.result().coverage.sequences == 0) {
    std::cerr << "nothing could be compared: this says nothing about the fake\n";
    return ExitCode::failed;
  }
  if (const std::string doubt = fidelity::doubt_of(campaign.result()); !doubt.empty()) {
    std::cerr << doubt << '\n';
    return ExitCode::failed;
  }
  return ExitCode::ok;
}

}  // namespace

void add_fidelity(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("fidelity", "The same commands on the fake and on a real server, replies compared");
  command->add_option("--server", options->server, "Path of a server binary, or HOST:PORT of this machine: it is FLUSHED")->required();
  command->add_option("--sequences,--seeds", options->sequences, "Generated sequences, one a seed, from each --from")
      ->check(whole_number())->capture_default_str();
  command->add_option("--from", options->from, "First seed; may be given several times")->check(whole_number())->capture_default_str();
  command->add_flag("--cases,!--no-cases", options->cases, "The fixed cases first (the default)");
  command->add_option("--versions", options->versions, "Also every pair of so many adversarial versions through\n:coherence_drop, under C and en_US.UTF-8")
      ->check(whole_number())->capture_default_str();
  command->add_option("--findings", options->findings, "Ends behind so many differences")->check(whole_number())->capture_default_str();
  command->add_option("--emulate", options->emulate, emulate_help())->capture_default_str();
  command->add_option("--report", options->report, "Writes the same text to this file");
  command->add_option("--table", options->table, "Writes the conformance table, Markdown, to this file");
  command->footer("exit codes: 0 no difference, 1 differences or nothing compared, 2 bad usage or no server,\n"
                  "3 the simulator is at fault\n"
                  "example:\n  cohsim fidelity --server /usr/bin/redis-server --sequences 100000 --from 7");
  command->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace cohsim::cli
