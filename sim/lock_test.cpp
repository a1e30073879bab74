#include "sim/lock.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "testing/catch.h"

namespace cohsim {
namespace {

constexpr Actor node = actor_first_node;
constexpr Actor other_node = actor_first_node + 1;

struct Calm final : Strategy {
  std::uint64_t pick(const Question&) override { return 0; }
};

/// A lock, and fibers that hold it for a while and say so.
struct Bench {
  Calm calm;
  Choices choices{calm};
  Scheduler scheduler{choices};
  OwnerLock lock{scheduler};
  std::vector<std::string> log;

  Task<void> worker(std::string name, DurationUs hold_us) {
    log.push_back(name + " asks");
    OwnerLock::Held held = co_await lock.acquire();
    if (!held) {
      log.push_back(name + " refused");
      co_return;
    }
    log.push_back(name + " holds");
    co_await scheduler.sleep(hold_us);
    log.push_back(name + (held ? " done" : " lost it"));
  }

  FiberId start(const std::string& name, DurationUs hold_us = 10, Actor owner = node) {
    return scheduler.spawn(owner, worker(name, hold_us));
  }
  /// Runs everything up to a time.
  void until(TimeUs when) {
    while (scheduler.step(when)) {
    }
    scheduler.advance_to(when);
    log.push_back("--");
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) REQUIRE(scheduler.step(1'000'000));
  }
  bool seen(const std::string& line) const { return std::find(log.begin(), log.end(), line) != log.end(); }
};

TEST_CASE("the lock is served in arrival order") {
  Bench b;
  for (const char* name : {"a", "b", "c", "d"}) b.start(name);
  b.until(100);
  CHECK(b.log == std::vector<std::string>{"a asks", "a holds", "b asks", "c asks", "d asks", "a done", "b holds",
                                          "b done", "c holds", "c done", "d holds", "d done", "--"});
  CHECK_FALSE(b.lock.busy());
}

TEST_CASE("nobody overtakes while the lock changes hands") {
  Bench b;
  b.start("a");
  b.start("b");
  b.until(9);
  CHECK(b.scheduler.next_due() == 10);
  b.steps(1);  // a is done and passed the lock to b, who has not run yet
  CHECK(b.lock.busy());
  b.start("late");
  b.until(100);
  CHECK(b.log == std::vector<std::string>{"a asks", "a holds", "b asks", "--", "a done", "b holds", "late asks",
                                          "b done", "late holds", "late done", "--"});
}

TEST_CASE("a holder that gives the lock back early holds nothing later") {
  Bench b;
  const auto early = [&b]() -> Task<void> {
    OwnerLock::Held held = co_await b.lock.acquire();
    OwnerLock::Held moved = std::move(held);
    CHECK(moved);
    moved.release();
    CHECK_FALSE(moved);
    CHECK_FALSE(b.lock.busy());
    co_await b.scheduler.sleep(50);
  };
  b.scheduler.spawn(node, early());
  b.until(1);
  b.start("b");
  b.until(40);
  CHECK(b.seen("b done"));
}

TEST_CASE("fail_all refuses the holder and whoever waits, and the lock is free again") {
  Bench b;
  b.start("holder");
  b.start("waiter");
  b.until(5);
  b.lock.fail_all();
  CHECK_FALSE(b.lock.busy());
  b.start("next");
  b.until(100);
  CHECK(b.seen("holder lost it"));
  CHECK(b.seen("waiter refused"));
  CHECK(b.seen("next done"));
  CHECK_FALSE(b.lock.busy());
}

TEST_CASE("a lost holder that ends does not free the lock of the next life") {
  Bench b;
  b.start("old", 10);
  b.until(5);
  b.lock.fail_all();
  b.start("new", 100);
  b.until(6);
  CHECK(b.seen("new holds"));
  b.until(20);
  CHECK(b.seen("old lost it"));
  CHECK(b.lock.busy());
  b.start("third");
  b.until(90);
  CHECK_FALSE(b.seen("third holds"));
}

TEST_CASE("fail_all between passing on and resuming refuses the one it was passed to") {
  Bench b;
  b.start("a");
  b.start("b");
  b.until(9);
  b.steps(1);
  CHECK(b.seen("a done"));
  CHECK_FALSE(b.seen("b holds"));
  b.lock.fail_all();
  b.start("c");
  b.until(100);
  CHECK(b.seen("b refused"));
  CHECK(b.seen("c done"));
}

TEST_CASE("a killed waiter is passed over") {
  Bench b;
  b.start("a");
  const FiberId killed = b.start("killed");
  b.start("c");
  b.until(5);
  b.scheduler.kill(killed);
  b.until(100);
  CHECK_FALSE(b.seen("killed holds"));
  CHECK(b.seen("c done"));
}

TEST_CASE("a killed holder gives the lock to the next") {
  Bench b;
  const FiberId killed = b.start("killed", 1'000);
  b.start("b");
  b.until(5);
  b.scheduler.kill(killed);
  b.until(100);
  CHECK(b.seen("b done"));
  CHECK_FALSE(b.seen("killed done"));
  CHECK_FALSE(b.lock.busy());
}

TEST_CASE("a killed holder whom nobody waits for leaves the lock free") {
  Bench b;
  const FiberId killed = b.start("killed", 1'000);
  b.until(5);
  b.scheduler.kill(killed);
  CHECK_FALSE(b.lock.busy());
  b.start("b");
  b.until(100);
  CHECK(b.seen("b done"));
}

TEST_CASE("a waiter that is killed between being passed the lock and running gives it to the next") {
  Bench b;
  b.start("a");
  const FiberId killed = b.start("killed");
  b.start("c");
  b.until(9);
  b.steps(1);
  CHECK(b.seen("a done"));
  CHECK_FALSE(b.seen("killed holds"));
  b.scheduler.kill(killed);
  b.until(100);
  CHECK(b.seen("c done"));
  CHECK_FALSE(b.lock.busy());
}

TEST_CASE("a node that dies whole leaves a lock that works") {
  Bench b;
  b.start("a", 1'000);
  b.start("b");
  b.until(5);
  b.scheduler.kill_all_of(node);
  CHECK_FALSE(b.lock.busy());
  b.start("restarted");
  b.until(100);
  CHECK(b.seen("restarted done"));
  CHECK_FALSE(b.seen("b holds"));
}

TEST_CASE("when one node dies, fibers of another that wait are served") {
  Bench b;
  b.start("dies", 1'000);
  b.start("dies too", 1'000);
  b.start("lives", 10, other_node);
  b.until(5);
  b.scheduler.kill_all_of(node);
  b.until(100);
  CHECK(b.seen("lives done"));
}

TEST_CASE("the lock may be gone before the frames that hold it") {
  Calm calm;
  Choices choices{calm};
  Scheduler scheduler{choices};
  auto lock = std::make_unique<OwnerLock>(scheduler);
  const auto hold = [](OwnerLock& held_lock, Scheduler& in) -> Task<void> {
    const OwnerLock::Held held = co_await held_lock.acquire();
    co_await in.sleep(1'000);
  };
  scheduler.spawn(node, hold(*lock, scheduler));
  scheduler.spawn(node, hold(*lock, scheduler));
  while (scheduler.step(5)) {
  }
  lock.reset();
  scheduler.kill_all_of(node);  // under the address sanitizer: no use of the dead lock
  CHECK_FALSE(scheduler.step(10'000));
}

TEST_CASE("a lock that a fiber got as its parameter is given back when the fiber ends by itself") {
  Bench b;
  const auto child = [](OwnerLock::Held, Scheduler& in) -> Task<void> { co_await in.sleep(1); };
  const auto body = [&]() -> Task<void> {
    OwnerLock::Held held = co_await b.lock.acquire();
    b.scheduler.spawn(node, child(std::move(held), b.scheduler));
    co_await b.scheduler.sleep(20);
  };
  b.scheduler.spawn(node, body());
  b.until(10);
  CHECK_FALSE(b.lock.busy());
}

}  // namespace
}  // namespace cohsim
