// How stale reads are: for how long the value that a read gave had been superseded in the source of truth when it began.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "properties/run.h"

namespace cohsim {

/// Counted in bounded memory, unlike what an oracle keeps: the newest commits of each name are remembered, and a read of an
/// older one is as stale as the oldest of them. A value that nobody committed is not counted.
class ReadStaleness {
 public:
  static constexpr std::size_t commits_kept = 64;  ///< a name

  void note(const event::Committed& committed, TimeUs at);
  void note(const event::FetchEnded& ended);

  [[nodiscard]] std::uint64_t reads() const { return reads_; }
  [[nodiscard]] std::uint64_t stale() const { return stale_; }
  [[nodiscard]] std::uint64_t longest_us() const { return longest_us_; }
  /// Reads by staleness: under each upper bound in microseconds, as a decimal of twelve digits so that names sort, how many
  /// lay above the bound before it. Bounds are 0, 1 ms, and its doubles.
  [[nodiscard]] Counts buckets() const;

 private:
  static constexpr std::size_t bucket_count = 24;  // the last ends at 4194 s, and takes whatever is beyond
  struct Commit {
    std::uint64_t value;  // its hash
    TimeUs at;
  };
  std::map<std::pair<std::uint16_t, std::string>, std::deque<Commit>> commits_;
  std::array<std::uint64_t, bucket_count> buckets_{};
  std::uint64_t reads_ = 0, stale_ = 0, longest_us_ = 0;
};

/// The upper bound of the bucket in which the read lies that `percent` of all reads are not staler than; 0 of no reads.
[[nodiscard]] std::uint64_t staleness_percentile_us(const Counts& buckets, unsigned percent);

}  // namespace cohsim
