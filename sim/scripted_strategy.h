// For tests: a strategy that answers by script, site by site.
#pragma once

#include <deque>
#include <map>

#include "sim/choices.h"

namespace cohsim {

/// Answers each site's questions in the order written down; calm where nothing is.
class ScriptedStrategy final : public Strategy {
 public:
  std::map<Site, std::deque<std::uint64_t>> answers;
  std::uint64_t pick(const Question& question) override {
    auto& queue = answers[question.site];
    if (queue.empty()) return 0;
    const std::uint64_t answer = queue.front();
    queue.pop_front();
    return answer < question.n ? answer : question.n - 1;
  }
};

}  // namespace cohsim
