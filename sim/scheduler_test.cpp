#include "sim/scheduler.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "sim/scheduler_bench.h"
#include "testing/catch.h"

namespace cohsim {
namespace {

using Bench = SchedulerBench;
using Log = std::vector<std::string>;

constexpr Actor node = actor_first_node;
constexpr TimeUs end_of_time = 1'000'000'000;

TEST_CASE("events run in the order of time, whatever order they were asked for in") {
  Bench b;
  b.scheduler.at(30, b.noter, 3);
  b.scheduler.at(10, b.noter, 1);
  b.scheduler.at(20, b.noter, 2);
  CHECK(b.scheduler.next_due() == 10);
  b.run();
  CHECK(b.log == Log{"handler 1", "handler 2", "handler 3"});
  CHECK(b.scheduler.now() == 30);
  CHECK(b.scheduler.steps() == 3);
  CHECK(b.scheduler.next_due() < 0);
  CHECK(b.ties.sizes.empty());
}

TEST_CASE("a calm tie runs in the order of asking, another pick runs another first") {
  Bench calm;
  for (std::uint64_t i = 0; i < 3; ++i) calm.scheduler.at(10, calm.noter, i);
  calm.run();
  CHECK(calm.log == Log{"handler 0", "handler 1", "handler 2"});
  CHECK(calm.ties.sizes == std::vector<std::uint64_t>{3, 2});

  Bench picked;
  picked.ties.picks = {2, 1};
  for (std::uint64_t i = 0; i < 3; ++i) picked.scheduler.at(10, picked.noter, i);
  picked.run();
  CHECK(picked.log == Log{"handler 2", "handler 1", "handler 0"});
  CHECK(calm.scheduler.schedule_hash() != picked.scheduler.schedule_hash());
}

TEST_CASE("the past is now") {
  Bench b;
  b.scheduler.at(10, b.noter, 1);
  b.run();
  b.scheduler.at(3, b.noter, 2);
  CHECK(b.scheduler.next_due() == 10);
  b.run();
  CHECK(b.scheduler.now() == 10);
  CHECK(b.log == Log{"handler 1", "handler 2"});
}

TEST_CASE("step runs nothing beyond its limit, and does not move the clock") {
  Bench b;
  b.scheduler.at(10, b.noter, 1);
  CHECK_FALSE(b.scheduler.step(9));
  CHECK(b.scheduler.now() == 0);
  CHECK(b.scheduler.step(10));
}

TEST_CASE("time may be moved on where nothing is due, and not over what is") {
  Bench b;
  b.scheduler.at(10, b.noter, 1);
  b.scheduler.advance_to(9);
  CHECK(b.scheduler.now() == 9);
  CHECK_THROWS_AS(b.scheduler.advance_to(11), InternalError);
  b.scheduler.advance_to(5);
  CHECK(b.scheduler.now() == 9);
}

TEST_CASE("what was due at a time stands before what is added once time was moved there") {
  Bench b;
  b.scheduler.at(10, b.noter, 1);
  b.scheduler.advance_to(10);
  b.scheduler.at(10, b.noter, 2);
  b.run();
  CHECK(b.log == Log{"handler 1", "handler 2"});
  CHECK(b.ties.sizes == std::vector<std::uint64_t>{2});
}

TEST_CASE("what only concerns dead fibers is not due") {
  Bench b;
  const FiberId sleeping = b.sleep("sleeping", 10);
  b.run(5);
  const FiberId fresh = b.sleep("fresh", 10);
  b.scheduler.kill(sleeping);
  b.scheduler.kill(fresh);
  CHECK(b.scheduler.next_due() < 0);
  b.scheduler.advance_to(50);
  CHECK(b.scheduler.now() == 50);
  CHECK(b.log.empty());
}

TEST_CASE("dead fibers are no answers when a tie is drawn") {
  Bench b;
  std::vector<FiberId> fibers;
  for (const char* name : {"a", "b", "c"}) fibers.push_back(b.sleep(name, 1));
  b.scheduler.kill(fibers[1]);
  b.run();
  CHECK(b.log == Log{"a@1", "c@1"});
  CHECK(b.ties.sizes == std::vector<std::uint64_t>{2, 2});
}

TEST_CASE("a fiber first runs in a step of its own") {
  Bench b;
  bool ran = false;
  const auto body = [&]() -> Task<void> {
    ran = true;
    co_return;
  };
  const FiberId fiber = b.scheduler.spawn(node, body(), 42);
  CHECK_FALSE(ran);
  CHECK(b.scheduler.alive(fiber));
  CHECK(b.scheduler.step(0));
  CHECK(ran);
  CHECK_FALSE(b.scheduler.alive(fiber));
  CHECK_FALSE(b.scheduler.step(end_of_time));
}

TEST_CASE("sleeping fibers interleave by time") {
  Bench b;
  b.sleep("a", 10, 3);
  b.sleep("b", 15, 2);
  b.run();
  // b asked for 30 before a did.
  CHECK(b.log == Log{"a@10", "b@15", "a@20", "b@30", "a@30"});
}

TEST_CASE("sleeping for nothing lets others that are due run") {
  Bench b;
  b.sleep("a", 0, 3);
  b.sleep("b", 0, 3);
  b.run();
  CHECK(b.scheduler.now() == 0);
  CHECK(b.log == Log{"a@0", "b@0", "a@0", "b@0", "a@0", "b@0"});
}

TEST_CASE("sleeping for nothing is a tie, so another pick lets the same fiber go on") {
  Bench b;
  b.ties.picks = {0, 1, 1};
  b.sleep("a", 0, 2);
  b.sleep("b", 0, 2);
  b.run();
  CHECK(b.log == Log{"a@0", "a@0", "b@0", "b@0"});
}

TEST_CASE("the current fiber and its operation are known while it runs, and only then") {
  Bench b;
  FiberId seen;
  std::uint64_t operation = 0;
  const auto body = [&]() -> Task<void> {
    seen = b.scheduler.current();
    co_await b.scheduler.sleep(1);
    operation = b.scheduler.operation();
  };
  const FiberId fiber = b.scheduler.spawn(node, body(), 42);
  CHECK(b.scheduler.current().generation == 0);
  CHECK(b.scheduler.operation() == 0);
  b.run();
  CHECK(seen == fiber);
  CHECK(operation == 42);
  CHECK(b.scheduler.current().generation == 0);
  CHECK_THROWS_AS(b.scheduler.waker(), InternalError);
}

TEST_CASE("fibers may spawn fibers while they run, however many") {
  Bench b;
  int ended = 0;
  const auto child = [&](int number) -> Task<void> {
    co_await b.scheduler.sleep(number % 7);
    ++ended;
  };
  const auto parent = [&]() -> Task<void> {
    for (int i = 0; i < 2'000; ++i) {
      b.scheduler.spawn(node, child(i));
      if (i % 100 == 0) co_await b.scheduler.sleep(1);
    }
    ++ended;
  };
  b.scheduler.spawn(node, parent());
  b.run();
  CHECK(ended == 2'001);
}

TEST_CASE("a million awaits and a million sleeps overflow no stack") {
  Bench b;
  std::int64_t total = 0;
  const auto one = [](std::int64_t value) -> Task<std::int64_t> { co_return value; };
  const auto awaits = [&]() -> Task<void> {
    for (int i = 0; i < 1'000'000; ++i) {
      const std::int64_t value = co_await one(i);
      total += value;
    }
  };
  b.scheduler.spawn(node, awaits());
  b.sleep("slept", 0, 0);
  b.run();
  CHECK(total == 499'999'500'000);

  std::int64_t slept = 0;
  const auto sleeps = [&]() -> Task<void> {
    for (; slept < 1'000'000; ++slept) co_await b.scheduler.sleep(0);
  };
  b.scheduler.spawn(node, sleeps());
  b.run();
  CHECK(slept == 1'000'000);
}

TEST_CASE("what a fiber throws comes out of the step that ran it, and the rest goes on") {
  Bench b;
  const auto thrower = [&]() -> Task<void> {
    co_await b.scheduler.sleep(5);
    throw std::runtime_error("gone wrong");
  };
  const FiberId fiber = b.scheduler.spawn(node, thrower());
  b.sleep("other", 10);
  CHECK_THROWS_WITH(b.run(), "gone wrong");
  CHECK_FALSE(b.scheduler.alive(fiber));
  CHECK(b.scheduler.current().generation == 0);
  b.run();
  CHECK(b.log == Log{"other@10"});
}

}  // namespace
}  // namespace cohsim
