#include "properties/power.h"

#include <fmt/format.h>

#include <algorithm>

#include "properties/interrupt.h"
#include "properties/worker_pool.h"

namespace cohsim {
namespace {

constexpr int poll_ms = 100;
constexpr std::size_t accidents_shown = 3;  // of each defect

const DefectInfo& info_of(Defect defect) {
  return *std::find_if(all_defects.begin(), all_defects.end(), [&](const auto& info) { return info.defect == defect; });
}

bool has_word(std::string_view words, std::string_view word) {
  return (' ' + std::string(words) + ' ').find(' ' + std::string(word) + ' ') != std::string::npos;
}

/// One round: every defect still looked for, in every scenario, under one seed.
class Search {
 public:
  Search(const std::vector<Scenario>& scenarios, const RunFunction& run, const PowerSettings& settings, PowerResult& result)
      : settings_(settings), result_(result), pool_(std::max(1U, settings.jobs), executor(run)) {
    for (const Scenario& scenario : scenarios) scenarios_.push_back(&scenario);
    std::stable_partition(scenarios_.begin(), scenarios_.end(),
                          [](const Scenario* scenario) { return scenario->workload.operations != 0; });
  }

  void run() {
    for (std::uint64_t seed = 1; seed <= settings_.seeds; ++seed) {
      std::vector<std::size_t> left;
      for (std::size_t row = 0; row < result_.rows.size(); ++row) {
        if (result_.rows[row].seeds == 0) left.push_back(row);
      }
      if (left.empty()) return;
      if (settings_.progress) settings_.progress(seed, left.size());
      std::vector<RunOutcome> outcomes = run_all(left, seed);
      if (result_.interrupted) return;
      for (std::size_t i = 0; i < outcomes.size(); ++i) {
        add(result_.rows[left[i / scenarios_.size()]], *scenarios_[i % scenarios_.size()], outcomes[i]);
      }
      if (!result_.fault.empty()) return;
    }
  }

 private:
  // A run is numbered row * scenarios + scenario.
  WorkerPool::Execute executor(const RunFunction& run) {
    return [this, run](std::uint64_t number, std::uint64_t seed) {
      RunOptions options;
      options.defect = result_.rows[number / scenarios_.size()].wanted.defect;
      return attempt(run, *scenarios_[number % scenarios_.size()], seed, options, false);
    };
  }

  std::vector<RunOutcome> run_all(const std::vector<std::size_t>& rows, std::uint64_t seed) {
    const std::size_t wanted = rows.size() * scenarios_.size();
    std::vector<RunOutcome> outcomes(wanted);
    for (std::size_t given = 0, done = 0; done < wanted;) {
      for (; given < wanted && pool_.has_idle(); ++given) {
        const std::size_t number = rows[given / scenarios_.size()] * scenarios_.size() + given % scenarios_.size();
        pool_.give(given, Chunk{number, seed, 1, 1});
      }
      for (WorkerPool::Done& one : pool_.wait(poll_ms)) {
        outcomes[one.ticket] = std::move(one.outcome);
        ++done;
      }
      result_.interrupted = guard_.interrupted();
      if (result_.interrupted) return outcomes;
    }
    return outcomes;
  }

  void add(PowerRow& row, const Scenario& scenario, const RunOutcome& outcome) {
    const std::string where = fmt::format("{} seed {}", scenario.name, outcome.result.seed);
    if (!outcome.fault.empty() && result_.fault.empty()) {
      result_.fault = fmt::format("{} in {}: {}", info_of(row.wanted.defect).name, where, outcome.fault);
    }
    bool found = false, declared = false;
    std::string accident;
    for (const Violation& violation : outcome.result.violations) {
      // What the file itself says of one schedule is no property of the system.
      if (find_property(violation.property) == nullptr) continue;
      found = found || violation.property == row.wanted.property;
      declared = declared || found || has_word(row.wanted.also, violation.property);
      if (violation.property != row.wanted.property) row.others.insert(violation.property);
      accident += ' ' + violation.property;
    }
    if (!declared && !accident.empty()) row.accidents.push_back(where + ':' + accident);
    if (!found) return;
    if (row.finders++ > 0) return;
    row.seeds = outcome.result.seed;
    row.scenario = scenario.name;
  }

  const PowerSettings& settings_;
  PowerResult& result_;
  std::vector<const Scenario*> scenarios_;
  InterruptGuard guard_;
  WorkerPool pool_;
};

}  // namespace

ExitCode PowerResult::exit_code() const {
  if (interrupted) return ExitCode::interrupted;
  if (!fault.empty()) return ExitCode::internal;
  const bool blind = std::any_of(rows.begin(), rows.end(), [](const PowerRow& row) { return row.seeds == 0 || !row.accidents.empty(); });
  return blind ? ExitCode::failed : ExitCode::ok;
}

PowerResult measure_power(const std::vector<Scenario>& scenarios, std::span<const DefectRow> table, const RunFunction& run,
                          const PowerSettings& settings) {
  PowerResult result;
  for (const DefectRow& wanted : table) result.rows.push_back({wanted, 0, {}, 0, {}, {}});
  if (!scenarios.empty()) Search(scenarios, run, settings, result).run();
  return result;
}

std::string to_text(const PowerResult& result) {
  constexpr std::string_view format = "{:<27} {:<27} {:>5} {:>5}  {:<27} {}\n";
  std::string text = fmt::format(format, "defect", "property", "seeds", "in", "first in", "others");
  for (const PowerRow& row : result.rows) {
    const bool found = row.seeds != 0;
    text += fmt::format(format, info_of(row.wanted.defect).name, row.wanted.property,
                        found ? std::to_string(row.seeds) : "-", row.finders, found ? row.scenario : "not found",
                        row.others.empty() ? "-" : fmt::format("{}", fmt::join(row.others, " ")));
  }
  for (const PowerRow& row : result.rows) {
    const std::size_t shown = std::min(row.accidents.size(), accidents_shown);
    for (std::size_t i = 0; i < shown; ++i) {
      text += fmt::format("by accident only: {} in {}\n", info_of(row.wanted.defect).name, row.accidents[i]);
    }
    if (shown < row.accidents.size()) text += fmt::format("  … and {} more\n", row.accidents.size() - shown);
  }
  return text;
}

}  // namespace cohsim
