#include "properties/read_staleness.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <charconv>

namespace cohsim {

namespace {

std::uint64_t hash_of(std::string_view value) { return XXH3_64bits(value.data(), value.size()); }

DurationUs bound_of(std::size_t bucket) { return bucket == 0 ? 0 : us_per_ms << (bucket - 1); }

}  // namespace

void ReadStaleness::note(const event::Committed& committed, TimeUs at) {
  std::deque<Commit>& commits = commits_[{committed.table.index, std::string(committed.id)}];
  commits.push_back({hash_of(committed.value), at});
  if (commits.size() > commits_kept) commits.pop_front();
}

void ReadStaleness::note(const event::FetchEnded& ended) {
  if (!ended.value) return;
  const auto found = commits_.find({ended.table.index, std::string(ended.id)});
  if (found == commits_.end()) return;
  const std::deque<Commit>& commits = found->second;
  const auto read = std::find_if(commits.rbegin(), commits.rend(),
                                 [value = hash_of(*ended.value)](const Commit& commit) { return commit.value == value; });
  if (read == commits.rend() && commits.size() < commits_kept) return;
  ++reads_;
  DurationUs stale_us = 0;
  if (read != commits.rbegin()) {
    const Commit& next = read == commits.rend() ? commits.front() : *std::prev(read);
    stale_us = std::max<DurationUs>(0, ended.began - next.at);
  }
  stale_ += stale_us > 0;
  longest_us_ = std::max(longest_us_, static_cast<std::uint64_t>(stale_us));
  std::size_t bucket = 0;
  while (bucket + 1 < bucket_count && stale_us > bound_of(bucket)) ++bucket;
  ++buckets_[bucket];
}

Counts ReadStaleness::buckets() const {
  Counts all;
  for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) {
    if (buckets_[bucket] != 0) all[fmt::format("{:012}", bound_of(bucket))] = buckets_[bucket];
  }
  return all;
}

std::uint64_t staleness_percentile_us(const Counts& buckets, unsigned percent) {
  std::uint64_t reads = 0, seen = 0;
  for (const auto& [bound, count] : buckets) reads += count;
  for (const auto& [bound, count] : buckets) {
    seen += count;
    if (seen * 100 < reads * percent) continue;
    std::uint64_t bound_us = 0;
    std::from_chars(bound.data(), bound.data() + bound.size(), bound_us);
    return bound_us;
  }
  return 0;
}

}  // namespace cohsim
