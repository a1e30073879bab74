// The one door for nondeterminism. Every decision of a run is one call here, and the list of picks is the run.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "sim/actor.h"
#include "sim/random.h"
#include "sim/site.h"

namespace cohsim {

/// A probability in integer parts per million, 0..1'000'000.
using Ppm = std::uint32_t;
inline constexpr Ppm ppm_one = 1'000'000;

/// One decision to take: pick 0..n-1, where 0 is the calm answer.
struct Question {
  Site site;
  Actor actor;
  std::uint64_t k;                         ///< how many decisions this (site, actor) took before
  std::uint64_t n;                         ///< number of answers, at least 2
  std::span<const std::uint32_t> weights;  ///< n relative weights, or empty: all alike
};

/// What a run decided, where it was not calm.
struct Decision {
  Site site;
  Actor actor;
  std::uint64_t k;
  std::uint64_t pick;
  friend bool operator==(const Decision&, const Decision&) = default;
};

/// Answers questions. Implementations must be pure functions of what they were built from and the questions so far.
class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual std::uint64_t pick(const Question& question) = 0;
};

/// Pick k of stream (site, actor) is a function of (seed, site, actor, k) alone.
class RandomStrategy final : public Strategy {
 public:
  explicit RandomStrategy(std::uint64_t seed);
  std::uint64_t pick(const Question& question) override;

 private:
  std::array<std::array<std::uint64_t, max_actors>, site_count> keys_;
};

/// A recorded pick that cannot be an answer here: the run under replay is not the one recorded.
class ReplayMismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Answers as recorded; what the record does not mention is calm.
class ReplayStrategy final : public Strategy {
 public:
  explicit ReplayStrategy(const std::vector<Decision>& decisions);
  /// Throws ReplayMismatch when the recorded pick is not below n.
  std::uint64_t pick(const Question& question) override;
  /// Recorded decisions that nobody asked for, in key order: after a run, any is a mismatch.
  [[nodiscard]] std::vector<Decision> unused() const;

 private:
  struct Recorded {
    std::uint64_t pick;
    bool used;
  };
  std::map<std::tuple<Site, Actor, std::uint64_t>, Recorded> recorded_;
};

/// The door itself: counts, asks the strategy, and records the picks that were not calm if asked to.
class Choices {
 public:
  explicit Choices(Strategy& strategy) : strategy_(strategy) {}

  /// 0..n-1, 0 the calm answer. n below 2 is no decision: 0, and nothing is drawn.
  std::uint64_t choose(Site site, Actor actor, std::uint64_t n);
  /// True with the given probability; 0 is no decision.
  bool chance(Site site, Actor actor, Ppm ppm);
  /// The closed range low..high, low the calm answer.
  std::int64_t between(Site site, Actor actor, std::int64_t low, std::int64_t high);
  /// An index of `weights`, by weight. At least one weight must be positive; the first that is, is the calm answer.
  std::size_t weighted(Site site, Actor actor, std::span<const std::uint32_t> weights);

  /// Keeps every pick that is not calm, for a decision file.
  void record(bool on) { recording_ = on; }
  [[nodiscard]] const std::vector<Decision>& decisions() const { return decisions_; }
  /// Decisions taken so far, calm ones included.
  [[nodiscard]] std::uint64_t asked() const { return asked_; }

  /// While a node's frames are destroyed their guards run; whatever they ask is answered calmly and counts for nothing.
  void refuse(bool on) { refusing_ = on; }

 private:
  std::uint64_t ask(Site site, Actor actor, std::uint64_t n, std::span<const std::uint32_t> weights);

  Strategy& strategy_;
  std::array<std::array<std::uint64_t, max_actors>, site_count> taken_{};
  std::vector<Decision> decisions_;
  std::uint64_t asked_ = 0;
  bool recording_ = false;
  bool refusing_ = false;
};

}  // namespace cohsim
