#include "sim/choices.h"

#include <limits>
#include <vector>

#include "testing/catch.h"

namespace cohsim {
namespace {

constexpr Actor node_a = actor_first_node;
constexpr Actor node_b = actor_first_node + 1;

std::vector<std::uint64_t> latencies(Choices& choices, Actor actor, int count) {
  std::vector<std::uint64_t> picks;
  for (int i = 0; i < count; ++i) picks.push_back(choices.choose(Site::request_latency, actor, 1000));
  return picks;
}

/// Answers whatever it was told last, and keeps the last question's n and weights.
struct Fixed final : Strategy {
  std::uint64_t answer = 0;
  std::uint64_t n = 0;
  std::vector<std::uint32_t> weights;
  std::uint64_t pick(const Question& question) override {
    n = question.n;
    weights.assign(question.weights.begin(), question.weights.end());
    return answer;
  }
};

TEST_CASE("picks of the random strategy are pinned") {
  RandomStrategy random(1);
  Choices choices(random);
  CHECK(latencies(choices, node_a, 4) == std::vector<std::uint64_t>{591, 355, 2, 814});
}

TEST_CASE("one more draw in a stream shifts no other stream") {
  RandomStrategy random(7);
  Choices plain(random);
  const std::vector<std::uint64_t> expected = latencies(plain, node_a, 50);

  Choices disturbed(random);
  std::vector<std::uint64_t> picks;
  for (int i = 0; i < 50; ++i) {
    for (int extra = 0; extra < i % 3; ++extra) {
      disturbed.choose(Site::reply_latency, node_a, 1000);
      disturbed.choose(Site::request_latency, node_b, 1000);
      disturbed.chance(Site::crash, node_a, 500'000);
    }
    picks.push_back(disturbed.choose(Site::request_latency, node_a, 1000));
  }
  CHECK(picks == expected);
}

TEST_CASE("streams of other sites, actors and seeds give other picks") {
  RandomStrategy one(1), two(2);
  Choices choices(one), others(two);
  const std::vector<std::uint64_t> picks = latencies(choices, node_a, 20);
  CHECK(latencies(choices, node_b, 20) != picks);
  CHECK(latencies(others, node_a, 20) != picks);
}

TEST_CASE("a decision with one answer draws nothing") {
  RandomStrategy random(1);
  Choices choices(random);
  CHECK(choices.choose(Site::tie, actor_world, 0) == 0);
  CHECK(choices.choose(Site::tie, actor_world, 1) == 0);
  CHECK_FALSE(choices.chance(Site::crash, node_a, 0));
  CHECK(choices.between(Site::row_jitter, node_a, 5, 5) == 5);
  CHECK(choices.between(Site::row_jitter, node_a, 5, 4) == 5);
  const std::vector<std::uint32_t> alone{0, 3, 0};
  CHECK(choices.weighted(Site::work_operation, actor_world, alone) == 1);
  CHECK(choices.asked() == 0);
}

TEST_CASE("between covers its closed range, low being calm") {
  RandomStrategy random(3);
  Choices choices(random);
  std::vector<bool> seen(5);
  for (int i = 0; i < 500; ++i) {
    const std::int64_t picked = choices.between(Site::clock_step_size, node_a, -2, 2);
    REQUIRE((picked >= -2 && picked <= 2));
    seen[static_cast<std::size_t>(picked + 2)] = true;
  }
  CHECK(seen == std::vector<bool>(5, true));

  Fixed fixed;
  Choices calm(fixed);
  CHECK(calm.between(Site::clock_step_size, node_a, -2, 2) == -2);
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  fixed.answer = std::numeric_limits<std::uint64_t>::max() - 1;
  CHECK(calm.between(Site::clock_step_size, node_a, least, greatest - 1) == greatest - 1);
}

TEST_CASE("chance follows its probability") {
  RandomStrategy random(3);
  Choices choices(random);
  int happened = 0;
  for (int i = 0; i < 100'000; ++i) happened += choices.chance(Site::message_drop, node_a, 10'000);
  CHECK((happened > 850 && happened < 1'150));
  for (int i = 0; i < 1'000; ++i) REQUIRE(choices.chance(Site::message_drop, node_b, ppm_one));
}

TEST_CASE("weighted picks by weight, and never what weighs nothing") {
  RandomStrategy random(3);
  Choices choices(random);
  const std::vector<std::uint32_t> weights{0, 1, 0, 3};
  std::vector<int> seen(4);
  for (int i = 0; i < 40'000; ++i) ++seen[choices.weighted(Site::work_operation, actor_world, weights)];
  CHECK(seen[0] == 0);
  CHECK(seen[2] == 0);
  CHECK((seen[1] > 9'500 && seen[1] < 10'500));

  Fixed calm;
  Choices quiet(calm);
  CHECK(quiet.weighted(Site::work_operation, actor_world, weights) == 1);
  CHECK(calm.weights == std::vector<std::uint32_t>{1, 3});
}

/// A run of mixed decisions; answers every pick.
std::vector<std::int64_t> mixed_run(Choices& choices) {
  std::vector<std::int64_t> picks;
  const std::vector<std::uint32_t> weights{5, 1, 1};
  for (int i = 0; i < 100; ++i) {
    picks.push_back(static_cast<std::int64_t>(choices.choose(Site::tie, actor_world, 3)));
    picks.push_back(choices.chance(Site::message_drop, node_a, 200'000));
    picks.push_back(choices.between(Site::message_delay, node_b, 10, 20));
    picks.push_back(static_cast<std::int64_t>(choices.weighted(Site::work_operation, actor_world, weights)));
  }
  return picks;
}

TEST_CASE("replaying the picks that were not calm gives the same run") {
  RandomStrategy random(11);
  Choices choices(random);
  choices.record(true);
  const std::vector<std::int64_t> picks = mixed_run(choices);
  const std::vector<Decision> decisions = choices.decisions();
  CHECK(choices.asked() == 400);
  CHECK(decisions.size() > 100);
  for (const Decision& decision : decisions) REQUIRE(decision.pick != 0);

  ReplayStrategy replay(decisions);
  Choices again(replay);
  again.record(true);
  CHECK(mixed_run(again) == picks);
  CHECK(again.decisions() == decisions);
  CHECK(replay.unused().empty());
}

TEST_CASE("nothing is recorded unless asked for") {
  RandomStrategy random(11);
  Choices choices(random);
  mixed_run(choices);
  CHECK(choices.decisions().empty());
}

TEST_CASE("a recorded pick that is no answer is a mismatch that names the decision") {
  ReplayStrategy replay({{Site::tie, actor_world, 1, 2}});
  Choices choices(replay);
  CHECK(choices.choose(Site::tie, actor_world, 2) == 0);
  try {
    choices.choose(Site::tie, actor_world, 2);
    FAIL("a pick of 2 among two answers was accepted");
  } catch (const ReplayMismatch& mismatch) {
    CHECK(mismatch.what() == std::string("decision 1 of tie (actor 0) was recorded as 2, but there are only 2 answers"));
  }
}

TEST_CASE("recorded decisions that nobody asked for are reported in key order") {
  const Decision asked{Site::tie, actor_world, 0, 1};
  const Decision late{Site::tie, actor_world, 9, 1};
  const Decision elsewhere{Site::crash, node_b, 0, 1};
  ReplayStrategy replay({elsewhere, late, asked});
  Choices choices(replay);
  CHECK(choices.choose(Site::tie, actor_world, 2) == 1);
  CHECK(replay.unused() == std::vector<Decision>{late, elsewhere});
}

TEST_CASE("while refused, every answer is calm and counts for nothing") {
  RandomStrategy random(11);
  Choices plain(random);
  const std::vector<std::uint64_t> expected = latencies(plain, node_a, 20);

  Choices choices(random);
  choices.record(true);
  std::vector<std::uint64_t> picks = latencies(choices, node_a, 10);
  const std::vector<Decision> before = choices.decisions();
  choices.refuse(true);
  CHECK(latencies(choices, node_a, 5) == std::vector<std::uint64_t>(5, 0));
  CHECK_FALSE(choices.chance(Site::crash, node_a, ppm_one));
  CHECK(choices.between(Site::message_delay, node_a, 3, 9) == 3);
  choices.refuse(false);
  CHECK(choices.asked() == 10);
  CHECK(choices.decisions() == before);
  for (const std::uint64_t pick : latencies(choices, node_a, 10)) picks.push_back(pick);
  CHECK(picks == expected);
}

TEST_CASE("every site has a name of its own") {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < site_count; ++i) {
    const std::string_view name = name_of(static_cast<Site>(i));
    CHECK_FALSE(name.empty());
    for (const std::string_view other : names) CHECK(name != other);
    names.push_back(name);
  }
  CHECK(name_of(Site::tie) == "tie");
  CHECK(name_of(Site::server_evict_which) == "server_evict_which");
}

}  // namespace
}  // namespace cohsim
