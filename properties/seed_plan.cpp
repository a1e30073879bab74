#include "properties/seed_plan.h"

#include <fmt/format.h>

#include <charconv>

namespace cohsim {
namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct Variables {
  const char* index;
  const char* count;
  const char* lowest;      // variable that holds the lowest index, or nullptr
  std::uint64_t base;      // lowest index where no variable says so
};

constexpr Variables known[] = {
    {"CI_NODE_INDEX", "CI_NODE_TOTAL", nullptr, 1},
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", 0},
    {"JOB_COMPLETION_INDEX", "JOB_COMPLETION_COUNT", nullptr, 0},
};

}  // namespace

SeedPlan plan_seeds(std::uint64_t from, std::uint64_t seeds, const Shard& shard) {
  SeedPlan plan{from + shard.index - 1, shard.count, 0};
  if (seeds >= shard.index) plan.count = (seeds - shard.index) / shard.count + 1;
  return plan;
}

std::optional<Shard> parse_shard(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto index = parse_number(text.substr(0, slash));
  const auto count = parse_number(text.substr(slash + 1));
  if (!index || !count || *index < 1 || *index > *count) return std::nullopt;
  return Shard{*index, *count};
}

EnvironmentShard shard_from_environment(const Environment& get) {
  for (const auto& names : known) {
    const char* index_text = get(names.index);
    const char* count_text = get(names.count);
    if (index_text == nullptr || count_text == nullptr) continue;
    EnvironmentShard found;
    found.from = fmt::format("{}={} {}={}", names.index, index_text, names.count, count_text);
    const auto index = parse_number(index_text);
    const auto count = parse_number(count_text);
    auto base = std::optional<std::uint64_t>(names.base);
    if (names.lowest != nullptr) {
      if (const char* lowest = get(names.lowest)) base = parse_number(lowest);
    }
    if (!index || !count || !base || *index < *base || *index - *base >= *count) {
      found.problem = fmt::format("{}: not a part of a whole; give --shard I/N with 1 <= I <= N instead", found.from);
    } else {
      found.shard = Shard{*index - *base + 1, *count};
    }
    return found;
  }
  return {};
}

}  // namespace cohsim
