#include "sim/scheduler.h"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/scheduler_bench.h"
#include "testing/catch.h"

namespace cohsim {
namespace {

using Bench = SchedulerBench;
using Log = std::vector<std::string>;

constexpr Actor node = actor_first_node;
constexpr Actor other_node = actor_first_node + 1;

/// Runs something when its frame dies.
struct Guard {
  std::function<void()> what;
  explicit Guard(std::function<void()> run) : what(std::move(run)) {}
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { what(); }
};

Task<void> guarded(Scheduler& scheduler, std::function<void()> at_death) {
  const Guard guard(std::move(at_death));
  co_await scheduler.sleep(1'000);
}

TEST_CASE("killing an owner destroys its fibers, suspended or not yet started, and nobody else's") {
  Bench b;
  int died = 0;
  const FiberId suspended = b.scheduler.spawn(node, guarded(b.scheduler, [&] { ++died; }));
  b.run(1);
  const FiberId not_started = b.sleep("not started", 5);
  const FiberId other = b.sleep("other", 5, 1, other_node);
  b.scheduler.kill_all_of(node);
  CHECK(died == 1);
  CHECK_FALSE(b.scheduler.alive(suspended));
  CHECK_FALSE(b.scheduler.alive(not_started));
  CHECK(b.scheduler.alive(other));
  b.run();
  CHECK(b.log == Log{"other@5"});
}

TEST_CASE("while frames die, their guards can decide, start, schedule and wake nothing") {
  Bench b;
  Waker waker;
  b.scheduler.spawn(other_node, b.parker("p", waker));
  b.run(1);
  bool ran = false;
  b.scheduler.spawn(node, guarded(b.scheduler, [&] {
                      ran = true;
                      CHECK(b.scheduler.dying());
                      CHECK(b.scheduler.spawn(node, b.sleeper("born dying", 0)).generation == 0);
                      b.scheduler.at(5, b.noter, 1);
                      b.scheduler.wake(waker);
                      CHECK(b.choices.choose(Site::crash, node, 2) == 0);
                    }));
  b.run(2);
  const std::uint64_t asked = b.choices.asked();
  b.scheduler.kill_all_of(node);
  CHECK(ran);
  CHECK_FALSE(b.scheduler.dying());
  CHECK(b.choices.asked() == asked);
  CHECK(b.scheduler.next_due() < 0);
  CHECK(b.log.empty());
}

TEST_CASE("a guard that kills another fiber does not end the dying of its own") {
  Bench b;
  const FiberId victim = b.scheduler.spawn(other_node, guarded(b.scheduler, [&] { CHECK(b.scheduler.dying()); }));
  const FiberId killer = b.scheduler.spawn(node, guarded(b.scheduler, [&] {
                                             b.scheduler.kill(victim);
                                             CHECK(b.scheduler.dying());
                                             CHECK(b.choices.choose(Site::crash, node, 2) == 0);
                                           }));
  b.run(1);
  const std::uint64_t asked = b.choices.asked();
  b.scheduler.kill(killer);
  CHECK(b.choices.asked() == asked);
  CHECK_FALSE(b.scheduler.alive(victim));
  CHECK_FALSE(b.scheduler.dying());
}

TEST_CASE("guards of a fiber that ends by itself are refused nothing, those of its parameters included") {
  Bench b;
  const auto body = [](std::shared_ptr<Guard>) -> Task<void> { co_return; };
  b.scheduler.spawn(node, body(std::make_shared<Guard>([&] {
                      CHECK_FALSE(b.scheduler.dying());
                      b.scheduler.at(5, b.noter, 1);
                    })));
  b.run();
  CHECK(b.log == Log{"handler 1"});
}

TEST_CASE("nobody destroys himself") {
  Bench b;
  const auto suicide = [&](bool all) -> Task<void> {
    co_await b.scheduler.sleep(1);
    if (all) {
      b.scheduler.kill_all_of(node);
    } else {
      b.scheduler.kill(b.scheduler.current());
    }
  };
  const FiberId sibling = b.sleep("sibling", 50);
  b.scheduler.spawn(node, suicide(false));
  CHECK_THROWS_AS(b.run(), InternalError);
  b.scheduler.spawn(node, suicide(true));
  CHECK_THROWS_AS(b.run(), InternalError);
  CHECK(b.scheduler.alive(sibling));  // refused before anything died
}

TEST_CASE("a fiber of one owner may kill another owner, and goes on") {
  Bench b;
  b.sleep("victim", 50);
  const auto killer = [&]() -> Task<void> {
    co_await b.scheduler.sleep(1);
    b.scheduler.kill_all_of(node);
    co_await b.scheduler.sleep(1);
    b.log.push_back(fmt::format("killer@{}", b.scheduler.now()));
  };
  b.scheduler.spawn(other_node, killer());
  b.run();
  CHECK(b.log == Log{"killer@2"});
}

TEST_CASE("watches hear of killed fibers once all are dead, and not of those that ended") {
  struct Watch final : DeathWatch {
    Scheduler& scheduler;
    std::vector<FiberId> killed;
    explicit Watch(Scheduler& s) : scheduler(s) { scheduler.watch_deaths(*this); }
    ~Watch() override { scheduler.unwatch_deaths(*this); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    void fiber_killed(FiberId fiber) override {
      CHECK_FALSE(scheduler.dying());
      killed.push_back(fiber);
    }
  };
  Bench b;
  const FiberId first = b.sleep("first", 100), second = b.sleep("second", 100);
  b.sleep("ends", 1, 1, other_node);
  {
    Watch watch(b.scheduler);
    b.run(10);
    CHECK(watch.killed.empty());
    b.scheduler.kill_all_of(node);
    CHECK(watch.killed == std::vector<FiberId>{first, second});
  }
  b.scheduler.kill(b.sleep("unwatched", 1));
}

TEST_CASE("a scheduler may go while fibers sleep") {
  int died = 0;
  {
    Bench b;
    b.scheduler.spawn(node, guarded(b.scheduler, [&] { ++died; }));
    b.run(1);
    b.sleep("never started", 1);
  }
  CHECK(died == 1);
}

TEST_CASE("the interruption runs instead of the armed owner's n-th resumption") {
  Bench b;
  b.scheduler.on_countdown([&](Actor owner) {
    b.log.push_back(fmt::format("crash of {}", owner));
    b.scheduler.kill_all_of(owner);
  });
  b.scheduler.arm(node, 3);
  b.sleep("a", 10, 5);
  b.sleep("other", 25, 1, other_node);
  b.run();
  // Its first run is one, its waking at 10 two; the one at 20 does not come.
  CHECK(b.log == Log{"a@10", "crash of 2", "other@25"});
}

TEST_CASE("a countdown that was disarmed interrupts nobody, and one strikes once") {
  Bench b;
  int struck = 0;
  b.scheduler.on_countdown([&](Actor) { ++struck; });
  b.scheduler.arm(node, 2);
  b.scheduler.disarm(node);
  b.sleep("a", 1, 5);
  b.run();
  CHECK(struck == 0);
  b.scheduler.arm(node, 1);
  b.sleep("b", 1, 5);
  b.run();
  CHECK(struck == 1);
}

TEST_CASE("a fiber that an interruption leaves alive is due again") {
  Bench b;
  b.scheduler.on_countdown([&](Actor) { b.log.push_back("interrupted"); });
  b.scheduler.arm(node, 2);
  b.sleep("a", 10, 2);
  b.run();
  CHECK(b.log == Log{"interrupted", "a@10", "a@20"});
}

}  // namespace
}  // namespace cohsim
