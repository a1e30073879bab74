// Which seeds of a scenario one gate run takes: a first one, a stride (shards), a count.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cohsim {

/// Part `index` (from 1) of `count`. Seed number i (from 0) belongs to part i mod count + 1.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;
  friend bool operator==(const Shard&, const Shard&) = default;
};

struct SeedPlan {
  std::uint64_t first = 1;
  std::uint64_t stride = 1;
  std::uint64_t count = 0;
  [[nodiscard]] std::uint64_t seed(std::uint64_t k) const { return first + k * stride; }
};

/// The shard's part of from, from+1, … from+seeds-1. The caller has checked that this does not overflow.
[[nodiscard]] SeedPlan plan_seeds(std::uint64_t from, std::uint64_t seeds, const Shard& shard);

/// "2/8"; nullopt unless 1 <= I <= N.
[[nodiscard]] std::optional<Shard> parse_shard(std::string_view text);

/// Looks a variable up in the environment; nullptr when it is not set.
using Environment = std::function<const char*(const char*)>;

struct EnvironmentShard {
  std::optional<Shard> shard;  ///< nullopt: no variable is set
  std::string from;            ///< the variables that it was read from
  std::string problem;         ///< they are set and make no shard; empty: fine
};

/// What CI systems set for parallel jobs: CI_NODE_INDEX/CI_NODE_TOTAL (GitLab and others, from 1),
/// SLURM_ARRAY_TASK_ID/_COUNT/_MIN, JOB_COMPLETION_INDEX/JOB_COMPLETION_COUNT (Kubernetes, from 0). First found wins.
[[nodiscard]] EnvironmentShard shard_from_environment(const Environment& get);

}  // namespace cohsim
