#include "properties/seed_plan.h"

#include <map>
#include <set>
#include <string>

#include "testing/catch.h"

using namespace cohsim;

TEST_CASE("shards split the seeds by index, all of them and each once") {
  for (const std::uint64_t count : {1, 2, 3, 7, 12}) {
    std::multiset<std::uint64_t> seen;
    for (std::uint64_t index = 1; index <= count; ++index) {
      const SeedPlan plan = plan_seeds(100, 10, Shard{index, count});
      for (std::uint64_t k = 0; k < plan.count; ++k) seen.insert(plan.seed(k));
    }
    std::multiset<std::uint64_t> wanted;
    for (std::uint64_t seed = 100; seed < 110; ++seed) wanted.insert(seed);
    CHECK(seen == wanted);
  }
}

TEST_CASE("a shard is I/N with I from 1 to N") {
  CHECK(parse_shard("2/8") == Shard{2, 8});
  for (const char* wrong : {"", "2", "0/8", "9/8", "2/", "/8", "a/8", "2/8x", "-1/8", "2/0"}) {
    INFO(wrong);
    CHECK_FALSE(parse_shard(wrong).has_value());
  }
}

TEST_CASE("CI systems set the shard") {
  std::map<std::string, std::string> variables;
  const Environment get = [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
  CHECK_FALSE(shard_from_environment(get).shard.has_value());
  variables = {{"CI_NODE_INDEX", "3"}, {"CI_NODE_TOTAL", "4"}};
  CHECK(shard_from_environment(get).shard == Shard{3, 4});
  variables = {{"SLURM_ARRAY_TASK_ID", "10"}, {"SLURM_ARRAY_TASK_COUNT", "4"}, {"SLURM_ARRAY_TASK_MIN", "8"}};
  CHECK(shard_from_environment(get).shard == Shard{3, 4});
  variables = {{"JOB_COMPLETION_INDEX", "0"}, {"JOB_COMPLETION_COUNT", "4"}};
  CHECK(shard_from_environment(get).shard == Shard{1, 4});
  variables = {{"JOB_COMPLETION_INDEX", "0"}};
  CHECK_FALSE(shard_from_environment(get).shard.has_value());
  variables = {{"CI_NODE_INDEX", "5"}, {"CI_NODE_TOTAL", "4"}};
  CHECK_FALSE(shard_from_environment(get).shard.has_value());
  CHECK(shard_from_environment(get).problem.find("CI_NODE_INDEX=5") != std::string::npos);
}
