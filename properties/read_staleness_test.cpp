// How stale reads are, counted; and what a scenario makes of a measure that lies outside of its bounds.
#include "testing/catch.h"

#include "properties/read_staleness.h"
#include "properties/small_world.h"

using namespace cohsim;

namespace {

constexpr TableRef users{0, "users"};

void commit(ReadStaleness& reads, std::string_view value, TimeUs at) {
  reads.note(event::Committed{2, users, "USR1", "v", value, 1}, at);
}
void read(ReadStaleness& reads, event::MaybeBytes value, TimeUs began) {
  reads.note(event::FetchEnded{2, users, "USR1", FetchOutcome::hit, std::nullopt, value, began});
}

RunResult run_with(const std::vector<Bound>& bounds) {
  Scenario scenario = SmallWorld::scenario(Lane::broadcast, 2);
  scenario.workload = {40, 10 * us_per_s, {3, 5}};
  scenario.bounds = bounds;
  return run_once(scenario, 1, {});
}

}  // namespace

TEST_CASE("a read is as stale as its value had been superseded when it began") {
  ReadStaleness reads;
  commit(reads, "one", 0);
  read(reads, "one", 10);
  commit(reads, "two", 5'000);
  read(reads, "one", 4'000);   // superseded while it was under way
  read(reads, "one", 5'500);
  read(reads, "one", 3'005'000);
  read(reads, "two", 9'000'000);
  read(reads, std::nullopt, 9'000'000);
  read(reads, "nobody's", 9'000'000);
  CHECK(reads.reads() == 5);
  CHECK(reads.stale() == 2);
  CHECK(reads.longest_us() == 3'000'000);
  CHECK(reads.buckets() == Counts{{"000000000000", 3}, {"000000001000", 1}, {"000004096000", 1}});
}

TEST_CASE("a read of a commit that is not remembered any more is as stale as the oldest that is") {
  ReadStaleness reads;
  for (std::size_t i = 0; i <= ReadStaleness::commits_kept; ++i) commit(reads, std::to_string(i), static_cast<TimeUs>(i) * 1000);
  read(reads, "0", 100'000);
  CHECK(reads.longest_us() == 99'000);
}

TEST_CASE("percentiles are bounds of buckets") {
  CHECK(staleness_percentile_us({}, 50) == 0);
  const Counts buckets{{"000000000000", 98}, {"000000001000", 1}, {"000004096000", 1}};
  CHECK(staleness_percentile_us(buckets, 50) == 0);
  CHECK(staleness_percentile_us(buckets, 99) == 1000);
  CHECK(staleness_percentile_us(buckets, 100) == 4'096'000);
}

TEST_CASE("a measure outside of its bounds violates the scenario's expectation") {
  CHECK(run_with({{"commits", 1, 1'000'000}}).violations.empty());
  const RunResult few = run_with({{"commits", 1'000'000, 2'000'000}});
  REQUIRE(few.violations.size() == 1);
  CHECK(few.violations[0].property == "expectation");
  CHECK(few.violations[0].sentence ==
        "commits: " + std::to_string(few.measures.at("commits")) + ", and the scenario's bounds are 1000000 to 2000000");
  CHECK(run_with({{"power loss", 1, 9}}).violations.size() == 1);
  CHECK(run_with({{"newer", 1'000'000, 2'000'000}}).violations.size() == 1);
}
