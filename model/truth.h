// The source of truth: the database behind the caches. Commits are atomic and survive everything.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>

#include "model/world_view.h"
#include "sim/time.h"

namespace cohsim {

class SourceOfTruth {
 public:
  /// Keeps what a replica that is up to `lag_us` behind would still answer; longer, and it answers the oldest kept.
  explicit SourceOfTruth(DurationUs lag_us = 0) : lag_us_(lag_us) {}

  /// Answers the commit's serial number, counting from 1 over the whole run. `now` must not decrease.
  std::uint64_t commit(TimeUs now, std::uint16_t table, const std::string& id, const std::string& value,
                       const std::string& version) {
    std::deque<Commit>& history = rows_[{table, id}];
    history.push_back({now, Truth{value, version, ++serial_}});
    while (history.size() > 1 && history[1].at < now - lag_us_) history.pop_front();
    return serial_;
  }
  /// The newest committed write of a name; null when there is none.
  [[nodiscard]] const Truth* find(std::uint16_t table, std::string_view id) const {
    const auto found = rows_.find({table, std::string(id)});
    return found == rows_.end() ? nullptr : &found->second.back().truth;
  }
  /// The newest write of a name that was committed at `when` or before; null when there was none.
  [[nodiscard]] const Truth* find_at(TimeUs when, std::uint16_t table, std::string_view id) const {
    const auto found = rows_.find({table, std::string(id)});
    if (found == rows_.end()) return nullptr;
    const Truth* newest = nullptr;
    for (const Commit& commit : found->second) {
      if (commit.at <= when) newest = &commit.truth;
    }
    return newest;
  }

 private:
  struct Commit {
    TimeUs at;
    Truth truth;
  };
  std::map<std::pair<std::uint16_t, std::string>, std::deque<Commit>> rows_;
  DurationUs lag_us_;
  std::uint64_t serial_ = 0;
};

}  // namespace cohsim
