#include "sim/scheduler.h"

#include <fmt/format.h>

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

TEST_CASE("a waker wakes once") {
  Bench b;
  Waker waker;
  b.scheduler.spawn(node, b.parker("p", waker));
  b.run(5);
  CHECK(b.log.empty());
  b.scheduler.wake_at(7, waker);
  b.scheduler.wake_at(8, waker);
  b.scheduler.wake_at(7, waker);
  b.run();
  CHECK(b.log == Log{"p woke@7"});
  b.scheduler.wake(waker);
  CHECK_FALSE(b.scheduler.step(end_of_time));
}

TEST_CASE("waking twice at one instant is waking once") {
  Bench b;
  Waker waker;
  b.scheduler.spawn(node, b.parker("p", waker));
  b.run(5);
  b.scheduler.wake(waker);
  b.scheduler.wake(waker);
  CHECK(b.scheduler.step(end_of_time));
  CHECK_FALSE(b.scheduler.step(end_of_time));
  CHECK(b.log.size() == 1);
}

TEST_CASE("a waker of an earlier park does not end a later one") {
  Bench b;
  Waker first, second;
  const auto body = [&]() -> Task<void> {
    first = b.scheduler.waker();
    co_await b.scheduler.park();
    second = b.scheduler.waker();
    co_await b.scheduler.park();
    b.log.push_back("through");
  };
  b.scheduler.spawn(node, body());
  b.run(1);
  b.scheduler.wake(first);
  b.scheduler.wake_at(5, first);
  b.run(10);
  b.scheduler.wake(first);
  b.run(20);
  CHECK(b.log.empty());
  b.scheduler.wake(second);
  b.run();
  CHECK(b.log == Log{"through"});
}

TEST_CASE("a wait with a limit: whichever comes first wakes, the other does nothing") {
  Bench b;
  Waker signal;
  const auto body = [&]() -> Task<void> {
    signal = b.scheduler.waker();
    b.scheduler.wake_at(b.scheduler.now() + 100, signal);
    co_await b.scheduler.park();
    b.log.push_back(fmt::format("@{}", b.scheduler.now()));
    co_await b.scheduler.sleep(200);
    b.log.push_back(fmt::format("@{}", b.scheduler.now()));
  };
  b.scheduler.spawn(node, body());
  b.run(30);
  b.scheduler.wake_at(30, signal);
  b.run();
  CHECK(b.log == Log{"@30", "@230"});
}

TEST_CASE("a fiber may use its waker before it parks") {
  Bench b;
  const auto body = [&]() -> Task<void> {
    b.scheduler.wake(b.scheduler.waker());
    co_await b.scheduler.park();
    b.log.push_back("on");
    b.scheduler.wake(b.scheduler.waker());  // and end without parking: nothing is left to run
  };
  b.scheduler.spawn(node, body());
  b.run();
  CHECK(b.log == Log{"on"});
  CHECK(b.scheduler.steps() == 2);
  CHECK(b.scheduler.next_due() < 0);
}

TEST_CASE("an id never comes back to life, nor does its waker wake who took its place") {
  Bench b;
  Waker dead, living;
  const FiberId first = b.scheduler.spawn(node, b.parker("first", dead));
  b.run(1);
  b.scheduler.wake_at(5, dead);
  b.scheduler.kill(first);
  const FiberId second = b.scheduler.spawn(node, b.parker("second", living));
  CHECK(second.index == first.index);
  CHECK_FALSE(second == first);
  b.run(2);
  b.scheduler.wake(dead);
  b.run(10);
  CHECK_FALSE(b.scheduler.alive(first));
  CHECK(b.scheduler.alive(second));
  b.scheduler.kill(first);
  CHECK(b.scheduler.alive(second));
  CHECK(b.log.empty());
  b.scheduler.wake(living);
  b.run();
  CHECK(b.log.size() == 1);
}

}  // namespace
}  // namespace cohsim
