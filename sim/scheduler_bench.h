// What the tests of the scheduler share.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sim/scheduler.h"

namespace cohsim {

/// For tests: answers ties with the picks it was given, then calmly; keeps the number of answers of each.
struct Ties final : Strategy {
  std::vector<std::uint64_t> picks;
  std::vector<std::uint64_t> sizes;
  std::uint64_t pick(const Question& question) override {
    sizes.push_back(question.n);
    return sizes.size() <= picks.size() ? picks[sizes.size() - 1] : 0;
  }
};

struct Noter final : Handler {
  std::vector<std::string>& log;
  explicit Noter(std::vector<std::string>& to) : log(to) {}
  void run(std::uint64_t argument) override { log.push_back(fmt::format("handler {}", argument)); }
};

/// One scheduler with fibers that say when they went on.
struct SchedulerBench {
  Ties ties;
  Choices choices{ties};
  std::vector<std::string> log;
  Noter noter{log};
  Scheduler scheduler{choices};

  Task<void> sleeper(std::string name, DurationUs duration_us, int times = 1) {
    for (int i = 0; i < times; ++i) {
      co_await scheduler.sleep(duration_us);
      log.push_back(fmt::format("{}@{}", name, scheduler.now()));
    }
  }
  Task<void> parker(std::string name, Waker& waker) {
    waker = scheduler.waker();
    co_await scheduler.park();
    log.push_back(fmt::format("{} woke@{}", name, scheduler.now()));
  }
  FiberId sleep(const std::string& name, DurationUs duration_us, int times = 1, Actor owner = actor_first_node) {
    return scheduler.spawn(owner, sleeper(name, duration_us, times));
  }
  void run(TimeUs until = 1'000'000'000) {
    while (scheduler.step(until)) {
    }
  }
};

}  // namespace cohsim
