#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>

#include "cli/clock.h"
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/suggest.h"
#include "cli/terminal.h"
#include "properties/gate.h"
#include "reports/report_files.h"
#include "reports/text.h"

namespace cohsim::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::uint64_t seeds = 200;
  std::string from = "1";
  unsigned jobs = 0;
  std::string budget, shard, script, strategy = "random", emulate = default_personality(), color = "auto";
  std::vector<std::string> only, reports;
  bool fail_fast = false, strict = false, verify_determinism = false, no_progress = false;
};

// The date decides over quarantine and nothing else. SOURCE_DATE_EPOCH, where set, stands for the present.
std::string today() {
  using namespace std::chrono;
  sys_seconds now = floor<seconds>(system_clock::now());
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH")) now = sys_seconds(seconds(std::atoll(epoch)));
  const year_month_day date(floor<days>(now));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

Shard chosen_shard(const std::string& text) {
  if (!text.empty()) {
    const auto shard = parse_shard(text);
    if (!shard) throw UsageError(fmt::format("--shard {}: not I/N with 1 <= I <= N, as in 2/8", text));
    return *shard;
  }
  const auto found = shard_from_environment([](const char* name) { return std::getenv(name); });
  if (!found.problem.empty()) throw UsageError(found.problem);
  if (found.shard && found.shard->count > 1) {
    std::cerr << fmt::format("shard {}/{} (from {})\n", found.shard->index, found.shard->count, found.from);
  }
  return found.shard.value_or(Shard{});
}

void check_only(const std::vector<std::string>& only, const std::vector<Scenario>& scenarios) {
  std::vector<std::string> known = property_names();
  known.emplace_back("expectation");
  for (const auto& scenario : scenarios) {
    known.insert(known.end(), scenario.invariants.begin(), scenario.invariants.end());
  }
  for (const auto& name : only) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw UsageError(fmt::format("--only {}: no such property{} (`cohsim list --properties`)", name,
                                 did_you_mean(name, known)));
  }
}

// Options of the contract whose other values come later: they are refused, never taken for the default.
void check_unbuilt(const Options& options) {
  if (options.strategy != "random") {
    throw UsageError(fmt::format("--strategy {}: not built yet; only 'random' is", options.strategy));
  }
}

GateOptions gate_options(const Options& options) {
  GateOptions gate;
  gate.settings.seeds = options.seeds;
  gate.settings.from = first_seed(options.from);
  if (options.seeds - 1 > std::numeric_limits<std::uint64_t>::max() - gate.settings.from) {
    throw UsageError(fmt::format("--from {} --seeds {}: runs out of seeds (they end at 2^64-1)", options.from, options.seeds));
  }
  gate.settings.shard = chosen_shard(options.shard);
  gate.settings.only = options.only;
  gate.settings.strict = options.strict;
  gate.settings.verify_determinism = options.verify_determinism;
  if (!options.script.empty()) gate.settings.changes = {"--script", options.script};
  if (options.emulate != default_personality()) {
    gate.settings.changes.insert(gate.settings.changes.end(), {"--emulate", options.emulate});
  }
  gate.jobs = options.jobs == 0 ? cores() : options.jobs;
  gate.budget_ms = options.budget.empty() ? 0 : parse_real_ms("--budget", options.budget);
  gate.real_ms = real_ms;
  gate.fail_fast = options.fail_fast;
  gate.today = today();
  gate.canary = always_drop_canary();
  gate.properties = property_names();
  gate.why_skipped = why_skipped;
  if (!options.no_progress && progress_possible()) gate.progress = show_progress;
  return gate;
}

// A report written over a scenario or script would destroy what it reports on.
void keep_inputs(const ReportRequest& reports, const std::vector<Scenario>& scenarios) {
  for (const ReportFile& report : reports.files) {
    for (const Scenario& scenario : scenarios) {
      for (const std::string& input : {scenario.path, scenario.design.script}) {
        std::error_code absent;
        if (!std::filesystem::equivalent(report.path, input, absent)) continue;
        throw UsageError(fmt::format("--report {}={}: would overwrite {}, which this run reads; name another file",
                                     report.format, report.path, input));
      }
    }
  }
}

ExitCode run(const Options& options) {
  check_unbuilt(options);
  const ReportRequest reports = parse_reports(options.reports);
  if (!reports.problem.empty()) throw UsageError(reports.problem);
  const GateOptions gate = gate_options(options);
  std::vector<Scenario> scenarios = load_all(scenario_files(options.paths));
  choose_script(scenarios, options.script);
  choose_personality(scenarios, options.emulate);
  keep_inputs(reports, scenarios);
  check_only(options.only, scenarios);
  if (const std::string why = unwritable(reports.files); !why.empty()) throw UsageError(why);

  const std::int64_t began_ms = real_ms();
  const GateResult result = run_gate(scenarios, run_once, gate);
  const double took_s = static_cast<double>(real_ms() - began_ms) / 1000;
  if (gate.progress) clear_progress();

  std::cout << text_report(result, color_wanted(options.color)) << std::flush;
  std::cerr << fmt::format("{} runs in {:.1f} s, {:.0f} a second, {} jobs\n", result.runs, took_s,
                           static_cast<double>(result.runs) / std::max(took_s, 1e-3), gate.jobs);
  const std::string lost = write_reports(reports.files, result);
  if (lost.empty()) return result.exit_code;
  std::cerr << "cohsim: " << lost << '\n';
  return worse(result.exit_code, ExitCode::usage);
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "The gate: every scenario, many seeds each");
  command->add_option("PATH", options->paths, "Scenario files or folders (default: the bundled scenarios)");
  command->add_option("--seeds", options->seeds, "Seeds per scenario")->check(whole_number())->check(CLI::PositiveNumber)->capture_default_str();
  command->add_option("--from", options->from, "First seed, or 'commit': taken from the checked out commit (hazards always begin at 1)")->capture_default_str();
  command->add_option("--jobs", options->jobs, "Worker processes (default: cores)")->check(CLI::Range(1, 1024));
  command->add_option("--budget", options->budget, "Real time after which no new run begins, as in 60s");
  command->add_option("--shard", options->shard, "I/N: every N-th seed, beginning with the I-th (also read from CI variables)");
  command->add_flag("--fail-fast", options->fail_fast, "Stop at the first failure");
  command->add_option("--script", options->script, "Another :coherence_drop: FILE[:NAME], for scenarios that name none");
  command->add_option("--strategy", options->strategy, "How choices are made: random")->capture_default_str();
  command->add_option("--emulate", options->emulate, emulate_help())->capture_default_str();
  command->add_option("--only", options->only, "Judge this property alone (repeatable)")->allow_extra_args(false);
  command->add_flag("--strict", options->strict, "Mended hazards fail; skipped or cut short is undecided");
  command->add_option("--report", options->reports, "json=FILE, junit=FILE, markdown=FILE; several with commas")->allow_extra_args(false);
  command->add_flag("--verify-determinism", options->verify_determinism, "Run each seed twice and compare");
  command->add_flag("--no-progress", options->no_progress, "No progress line");
  command->add_option("--color", options->color, "When to colour")->check(CLI::IsMember({"always", "never", "auto"}))->capture_default_str();
  command->footer(
      "exit codes: 0 as expected, 1 not, 2 bad usage or file, 3 the simulator is at fault, 4 undecided, 130 interrupted\n"
      "example:\n  cohsim run scenarios --seeds 1000 --jobs 4 --report junit=junit.xml,json=gate.json");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace cohsim::cli
