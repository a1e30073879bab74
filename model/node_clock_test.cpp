#include "model/node_clock.h"

#include "testing/catch.h"

using namespace cohsim;

TEST_CASE("without drift, pauses and steps a node's clocks are virtual time") {
  NodeClock clock;
  CHECK(clock.monotonic_us(0) == 0);
  CHECK(clock.monotonic_us(123'456) == 123'456);
  CHECK(clock.wall_us(123'456) == 123'456);
  CHECK(clock.until_gone(5, 0) == 0);
  CHECK(clock.until_gone(5, 1) == 1);
}

TEST_CASE("both clocks drift, and a span of the node is as much longer or shorter") {
  NodeClock fast;
  fast.drift(0, 250'000);
  CHECK(fast.monotonic_us(4'000'000) == 5'000'000);
  CHECK(fast.wall_us(4'000'000) == 5'000'000);
  CHECK(fast.until_gone(4'000'000, 5'000'000) == 4'000'000);
  NodeClock slow;
  slow.drift(0, -500'000);
  CHECK(slow.monotonic_us(3) == 1);  // rounded down, and so never back
  CHECK(slow.monotonic_us(4) == 2);
  CHECK(slow.until_gone(0, 1) == 2);
}

TEST_CASE("a clock goes on from where it was when its rate changes") {
  NodeClock clock;
  clock.drift(0, 100'000);
  clock.drift(1'000'000, -100'000);
  CHECK(clock.monotonic_us(1'000'000) == 1'100'000);
  CHECK(clock.monotonic_us(2'000'000) == 2'000'000);
}

TEST_CASE("in a pause the monotonic clock stands still and the wall clock goes on") {
  NodeClock clock;
  clock.pause(1'000, 5'000);
  CHECK(clock.monotonic_us(3'000) == 1'000);
  CHECK(clock.wall_us(3'000) == 3'000);
  CHECK(clock.monotonic_us(6'000) == 2'000);
  CHECK(clock.until_gone(3'000, 10) == 2'010);
  CHECK(clock.until_gone(6'000, 10) == 10);
}

TEST_CASE("pauses add up, also those that overlap, and a rate may change inside of one") {
  NodeClock clock;
  clock.pause(1'000, 5'000);
  clock.pause(2'000, 3'000);  // inside the first: the later end holds
  CHECK(clock.monotonic_us(5'000) == 1'000);
  clock.pause(6'000, 7'000);
  CHECK(clock.monotonic_us(6'500) == 2'000);
  clock.drift(6'500, 500'000);
  CHECK(clock.monotonic_us(7'000) == 2'000);
  CHECK(clock.monotonic_us(7'100) == 2'150);
}

TEST_CASE("a pause ends with the process that it held") {
  NodeClock clock;
  clock.pause(1'000, 50'000);
  clock.end_pause(4'000);
  CHECK(clock.monotonic_us(4'000) == 1'000);
  CHECK(clock.monotonic_us(5'000) == 2'000);
  CHECK(clock.until_gone(5'000, 10) == 10);
}

TEST_CASE("a step moves the wall clock alone") {
  NodeClock clock;
  clock.step(-2'000'000);
  CHECK(clock.wall_us(1'000'000) == -1'000'000);
  CHECK(clock.monotonic_us(1'000'000) == 1'000'000);
}
