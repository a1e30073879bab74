// Owners that stand still: their fibers wait for the end of the pause, everything else goes on.
#include <string>
#include <vector>

#include "sim/scheduler.h"
#include "sim/scheduler_bench.h"
#include "testing/catch.h"

namespace cohsim {
namespace {

using Bench = SchedulerBench;
using Log = std::vector<std::string>;

constexpr Actor held = actor_first_node, other = actor_first_node + 1;

TEST_CASE("a fiber of a paused owner runs when the pause ends, in the order it was due, while handlers and others run on") {
  Bench b;
  b.sleep("first", 10, 1, held);
  b.sleep("second", 20, 1, held);
  b.sleep("later", 200, 1, held);
  b.sleep("other", 15, 1, other);
  b.run(5);
  b.scheduler.pause(held, 100);
  b.scheduler.at(30, b.noter, 1);
  b.run();
  CHECK(b.log == Log{"other@15", "handler 1", "first@100", "second@100", "later@200"});
}

TEST_CASE("what was due now waits too, and so does what is spawned or woken in a pause") {
  Bench b;
  Waker waker;
  b.scheduler.spawn(held, b.parker("parked", waker));
  b.run(0);
  b.sleep("due", 0, 1, held);
  b.scheduler.pause(held, 50);
  b.scheduler.wake(waker);
  b.scheduler.wake(waker);
  b.sleep("spawned", 0, 1, held);
  b.run();
  CHECK(b.log == Log{"parked woke@50", "due@50", "spawned@50"});
  CHECK(b.scheduler.foreground_pending() == 0);
}

TEST_CASE("of two pauses the later end holds, and one that is ended holds nobody who comes then") {
  Bench b;
  b.scheduler.pause(held, 100);
  b.scheduler.pause(held, 50);
  CHECK(b.scheduler.paused_until(held) == 100);
  b.scheduler.kill_all_of(held);
  b.scheduler.end_pause(held);
  b.sleep("next life", 10, 1, held);
  b.run();
  CHECK(b.log == Log{"next life@10"});
}

TEST_CASE("a beat that a pause holds keeps nobody waiting for quiet") {
  Bench b;
  b.scheduler.spawn(held, b.sleeper("beat", 10, 3), 0, Scheduler::Duty::background);
  b.run(0);
  b.scheduler.pause(held, 100);
  CHECK(b.scheduler.foreground_pending() == 0);
  b.run();
  CHECK(b.log == Log{"beat@100", "beat@110", "beat@120"});
}

}  // namespace
}  // namespace cohsim
