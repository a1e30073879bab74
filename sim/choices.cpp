#include "sim/choices.h"

#include <fmt/format.h>

namespace cohsim {

RandomStrategy::RandomStrategy(std::uint64_t seed) {
  for (std::size_t site = 0; site < site_count; ++site) {
    for (std::size_t actor = 0; actor < max_actors; ++actor) keys_[site][actor] = stream_key(seed, site, actor);
  }
}

std::uint64_t RandomStrategy::pick(const Question& question) {
  const std::uint64_t bits = draw(keys_[static_cast<std::size_t>(question.site)][question.actor], question.k);
  if (question.weights.empty()) return scale(bits, question.n);
  std::uint64_t total = 0;
  for (const std::uint32_t weight : question.weights) total += weight;
  std::uint64_t rest = scale(bits, total);
  for (std::size_t i = 0; i < question.weights.size(); ++i) {
    if (rest < question.weights[i]) return i;
    rest -= question.weights[i];
  }
  return 0;
}

ReplayStrategy::ReplayStrategy(const std::vector<Decision>& decisions) {
  for (const Decision& decision : decisions) {
    recorded_[{decision.site, decision.actor, decision.k}] = {decision.pick, false};
  }
}

std::uint64_t ReplayStrategy::pick(const Question& question) {
  const auto found = recorded_.find({question.site, question.actor, question.k});
  if (found == recorded_.end()) return 0;
  found->second.used = true;
  if (found->second.pick >= question.n) {
    throw ReplayMismatch(fmt::format("decision {} of {} (actor {}) was recorded as {}, but there are only {} answers",
                                     question.k, name_of(question.site), question.actor, found->second.pick,
                                     question.n));
  }
  return found->second.pick;
}

std::vector<Decision> ReplayStrategy::unused() const {
  std::vector<Decision> left;
  for (const auto& [key, recorded] : recorded_) {
    if (!recorded.used) left.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), recorded.pick});
  }
  return left;
}

std::uint64_t Choices::ask(Site site, Actor actor, std::uint64_t n, std::span<const std::uint32_t> weights) {
  if (refusing_) return 0;
  const std::uint64_t k = taken_[static_cast<std::size_t>(site)][actor]++;
  ++asked_;
  const std::uint64_t pick = strategy_.pick({site, actor, k, n, weights});
  if (recording_ && pick != 0) decisions_.push_back({site, actor, k, pick});
  return pick;
}

std::uint64_t Choices::choose(Site site, Actor actor, std::uint64_t n) {
  return n < 2 ? 0 : ask(site, actor, n, {});
}

bool Choices::chance(Site site, Actor actor, Ppm ppm) {
  if (ppm == 0) return false;
  const std::array<std::uint32_t, 2> weights{ppm_one - ppm, ppm};
  return ask(site, actor, 2, weights) == 1;
}

std::int64_t Choices::between(Site site, Actor actor, std::int64_t low, std::int64_t high) {
  if (high <= low) return low;
  // Unsigned: the distance of two far ends does not fit a signed number.
  const std::uint64_t first = static_cast<std::uint64_t>(low);
  return static_cast<std::int64_t>(first + ask(site, actor, static_cast<std::uint64_t>(high) - first + 1, {}));
}

std::size_t Choices::weighted(Site site, Actor actor, std::span<const std::uint32_t> weights) {
  // Only what can happen is an answer: a weight of 0 in the first place would make the calm answer an impossible one.
  std::vector<std::uint32_t> positive;
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    positive.push_back(weights[i]);
    index.push_back(i);
  }
  if (index.empty()) return 0;
  return index[positive.size() < 2 ? 0 : ask(site, actor, positive.size(), positive)];
}

}  // namespace cohsim
