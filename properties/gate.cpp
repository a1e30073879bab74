#include "properties/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "properties/feed.h"
#include "properties/interrupt.h"
#include "properties/tally.h"
#include "properties/verdict.h"
#include "properties/worker_pool.h"

namespace cohsim {
namespace {

constexpr int poll_ms = 100;
constexpr std::int64_t grace_ms = 10'000;      // for runs under way when the budget ends
constexpr std::uint64_t window_per_job = 16;   // chunks that may wait to be added up

struct Ticket {
  Chunk chunk;
  std::int64_t given_ms = 0;
  std::vector<RunOutcome> outcomes;
  [[nodiscard]] bool complete() const { return outcomes.size() == chunk.count; }
};

class Gate {
 public:
  Gate(const std::vector<Scenario>& scenarios, const RunFunction& run, const GateOptions& options)
      : options_(options), began_ms_(real_ms()), pool_(std::max(1U, options.jobs), executor(run)) {
    for (const auto& scenario : scenarios) scenarios_.push_back(&scenario);
    if (options.canary) scenarios_.push_back(&options.canary->scenario);
    plan();
  }

  GateResult run() {
    while (!stopped_) {
      hand_out();
      if (pool_.busy() == 0) break;
      collect();
      if (guard_.interrupted()) stop(Ended::interrupted);
    }
    return finish();
  }

 private:
  // For the budget, progress and the size of chunks. No result depends on it but through the budget.
  [[nodiscard]] std::int64_t real_ms() const { return options_.real_ms ? options_.real_ms() : 0; }

  [[nodiscard]] bool is_canary(std::uint64_t scenario) const {
    return options_.canary && scenario + 1 == scenarios_.size();
  }

  WorkerPool::Execute executor(const RunFunction& run) {
    return [this, run](std::uint64_t scenario, std::uint64_t seed) {
      RunOptions options;
      if (!is_canary(scenario)) options.only = options_.settings.only;
      return attempt(run, *scenarios_[scenario], seed, options, options_.settings.verify_determinism);
    };
  }

  void plan() {
    const GateSettings& settings = options_.settings;
    std::vector<SeedPlan> plans;
    std::map<std::string, int> files;
    for (const auto* scenario : scenarios_) ++files[scenario->path];
    for (std::size_t i = 0; i < scenarios_.size(); ++i) {
      const Scenario& scenario = *scenarios_[i];
      const std::uint64_t from = scenario.expect.violates ? 1 : settings.from;
      SeedPlan seeds = plan_seeds(from, settings.seeds, settings.shard);
      if (is_canary(i)) seeds = plan_seeds(1, options_.canary->seeds, Shard{});
      skipped_.push_back(options_.why_skipped && !is_canary(i) ? options_.why_skipped(scenario) : std::string());
      if (!skipped_.back().empty()) seeds.count = 0;
      plans.push_back(seeds);
      tallies_.push_back(start_tally(scenario, seeds));
      tallies_.back().path_is_shared = files[scenario.path] > 1;
      progress_.runs_wanted += seeds.count;
    }
    if (options_.canary) {
      // First of all: whatever else a run is cut short by, it has been shown to be able to fail.
      SeedPlan& canary = plans.back();
      give(Chunk{plans.size() - 1, canary.first, canary.stride, canary.count});
      canary.count = 0;
    }
    feed_.emplace(std::move(plans), options_.budget_ms > 0);
  }

  void give(const Chunk& chunk) {
    pool_.give(next_ticket_, chunk);
    tickets_.emplace(next_ticket_++, Ticket{chunk, real_ms(), {}});
  }

  [[nodiscard]] bool budget_is_over() const {
    return options_.budget_ms > 0 && real_ms() - began_ms_ >= options_.budget_ms;
  }

  void hand_out() {
    const std::uint64_t window = window_per_job * std::max(1U, options_.jobs);
    while (!all_out_ && pool_.has_idle() && tickets_.size() < window) {
      if (budget_is_over()) {
        all_out_ = true;
        if (feed_->next()) ended_ = Ended::budget;
        return;
      }
      const auto chunk = feed_->next();
      if (!chunk) {
        all_out_ = true;
        return;
      }
      give(*chunk);
    }
  }

  void collect() {
    for (auto& done : pool_.wait(poll_ms)) {
      Ticket& ticket = tickets_.at(done.ticket);
      ticket.outcomes.push_back(std::move(done.outcome));
      ++progress_.runs_done;
      if (ticket.complete()) feed_->took(ticket.chunk.scenario, ticket.chunk.count, real_ms() - ticket.given_ms);
    }
    while (!stopped_ && !tickets_.empty() && tickets_.begin()->second.complete()) {
      add(tickets_.begin()->second);
      tickets_.erase(tickets_.begin());
    }
    report_progress();
    if (budget_is_over() && real_ms() - began_ms_ > options_.budget_ms + grace_ms) stop(Ended::budget);
  }

  void add(Ticket& ticket) {
    const std::uint64_t scenario = ticket.chunk.scenario;
    for (auto& outcome : ticket.outcomes) {
      const bool faulty = !outcome.fault.empty();
      if (!add_outcome(tallies_[scenario], std::move(outcome)) || is_canary(scenario)) continue;
      if (!faulty && is_excused(tallies_[scenario], options_.today)) continue;
      ++progress_.unexpected;
      if (options_.fail_fast) return stop(Ended::fail_fast);
    }
    const bool over = tallies_[scenario].complete();
    if (options_.fail_fast && over && !is_canary(scenario)) {
      judge_one(scenario);
      if (tallies_[scenario].exit_code == ExitCode::failed) stop(Ended::fail_fast);
    }
  }

  void stop(Ended why) {
    stopped_ = true;
    ended_ = why;
    in_progress_ = pool_.in_progress();
    pool_.kill_all();
  }

  void report_progress() {
    const std::int64_t now = real_ms();
    if (!options_.progress || now - progress_ms_ < poll_ms) return;
    progress_ms_ = now;
    progress_.elapsed_ms = now - began_ms_;
    options_.progress(progress_);
  }

  void judge_one(std::uint64_t scenario) {
    judge(tallies_[scenario], *scenarios_[scenario], options_.settings, ended_, options_.today, skipped_[scenario]);
  }

  GateResult finish() {
    // Behind a first failure nothing counts; cut short otherwise, all that came in does.
    if (ended_ != Ended::fail_fast) {
      for (auto& [number, ticket] : tickets_) {
        for (auto& outcome : ticket.outcomes) add_outcome(tallies_[ticket.chunk.scenario], std::move(outcome));
      }
    }
    GateResult result;
    result.settings = options_.settings;
    if (options_.canary) {
      result.canary = judge_canary(tallies_.back());
      tallies_.pop_back();
    }
    if (ended_ == Ended::fail_fast && std::all_of(tallies_.begin(), tallies_.end(), [](const ScenarioResult& s) {
          return s.complete();
        })) {
      ended_ = Ended::whole;
    }
    result.ended = ended_;
    for (std::size_t i = 0; i < tallies_.size(); ++i) {
      finish_tally(tallies_[i]);
      judge_one(i);
    }
    result.scenarios = std::move(tallies_);
    if (ended_ != Ended::fail_fast) {
      for (const auto& [scenario, seed] : in_progress_) {
        result.in_progress.push_back(fmt::format("{} seed {}", scenarios_[scenario]->name, seed));
      }
    }
    add_totals(result, options_.properties);
    result.exit_code = judge_gate(result);
    return result;
  }

  [[nodiscard]] CanaryResult judge_canary(const ScenarioResult& tally) const {
    CanaryResult canary;
    canary.wanted = true;
    canary.property = options_.canary->property;
    const auto found = tally.properties.find(canary.property);
    const bool seen = found != tally.properties.end() && found->second.failing_seeds > 0;
    canary.alive = seen && tally.faulty_runs == 0;
    if (canary.alive) {
      canary.sentence = found->second.first->violation.sentence;
    } else if (tally.faulty_runs > 0) {
      canary.sentence = fmt::format("seed {}: {}", tally.faulty.front().seed, tally.faulty.front().what);
    } else if (!tally.broken.empty() || !tally.not_simulated.empty()) {
      canary.sentence = tally.broken + tally.not_simulated;
    } else {
      canary.sentence = fmt::format("not violated in {} seeds, and must be: the gate has lost its teeth", tally.runs);
    }
    return canary;
  }

  const GateOptions& options_;
  const std::int64_t began_ms_;
  InterruptGuard guard_;
  std::vector<const Scenario*> scenarios_;  // the canary last
  std::vector<ScenarioResult> tallies_;
  std::vector<std::string> skipped_;
  WorkerPool pool_;
  std::optional<Feed> feed_;
  std::map<std::uint64_t, Ticket> tickets_;  // given and not added up, in order
  std::uint64_t next_ticket_ = 0;
  bool all_out_ = false;
  bool stopped_ = false;
  Ended ended_ = Ended::whole;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> in_progress_;
  Progress progress_;
  std::int64_t progress_ms_ = 0;
};

}  // namespace

GateResult run_gate(const std::vector<Scenario>& scenarios, const RunFunction& run, const GateOptions& options) {
  return Gate(scenarios, run, options).run();
}

}  // namespace cohsim
