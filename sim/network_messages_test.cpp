// Messages on links: order, delay, reordering, copies, losses, and what steps do to those in flight.
#include "testing/catch.h"

#include "sim/network_bench.h"

namespace cohsim::network_bench {

namespace {

constexpr Actor to = actor_first_node;

}  // namespace

TEST_CASE("without faults a link is first in, first out, whatever the latencies") {
  Bench bench;
  bench.strategy.answers[Site::message_latency] = {400, 0, 200};
  for (const char* bytes : {"a", "b", "c"}) bench.post(to, bytes);
  CHECK(bench.network.in_flight() == 3);
  CHECK(bench.run(us_per_ms) == Lines{"sent a", "sent b", "sent c", "delivered a", "delivered b", "delivered c"});
  CHECK(bench.network.in_flight() == 0);
}

TEST_CASE("delays are drawn one by one, who passes one that is still under way overtook it") {
  Bench bench;
  bench.network.set_faults({.message_delay = true, .message_delay_low_us = 10, .message_delay_high_us = 1000});
  bench.strategy.answers[Site::message_delay] = {900, 100, 200};
  for (const char* bytes : {"a", "b", "c"}) bench.post(to, bytes);
  CHECK(bench.run(us_per_s) == Lines{"sent a", "delayed a 910", "sent b", "delayed b 110", "sent c", "delayed c 210",
                                     "overtook b", "overtook c", "delivered a"});
}

TEST_CASE("a reordered message falls behind the next, one that was refused or discarded is not overtaken") {
  Bench bench;
  bench.network.set_faults({.message_reorder = 1});
  bench.strategy.answers[Site::message_reorder] = {1, 0};
  bench.strategy.answers[Site::message_delay] = {1999};
  bench.post(to, "a");
  bench.post(to, "b");
  CHECK(bench.run(us_per_s) == Lines{"sent a", "delayed a 2050", "sent b", "overtook b", "delivered a"});
  bench.log.refusing[to] = DropCause::away;
  bench.post(to, "c");
  CHECK(bench.run(us_per_s) == Lines{"sent c", "dropped c away"});
  bench.log.refusing.clear();
  bench.post(to, "d");
  CHECK(bench.run(us_per_s) == Lines{"sent d", "delivered d"});
}

TEST_CASE("a duplicate is a message of its own, a loss and a cut are counted by cause") {
  Bench bench;
  bench.network.set_faults({.message_drop = 1, .message_duplicate = 1});
  bench.strategy.answers[Site::message_drop] = {0, 1};
  bench.strategy.answers[Site::message_duplicate] = {1};
  CHECK(bench.post(to, "a") != 0);
  CHECK(bench.post(to, "b") == 0);
  bench.network.partition(actor_server, to);
  CHECK(bench.post(to, "c") == 0);
  bench.network.heal(actor_server, to);
  bench.network.partition(5, to);  // between two nodes
  CHECK(bench.post(to, "d", 5) == 0);
  CHECK(bench.run(us_per_s) == Lines{"sent a", "copied a true", "sent b", "dropped b chance", "sent c",
                                     "dropped c partition", "sent d", "dropped d partition", "delivered a", "delivered a"});
}

TEST_CASE("the planted defect loses a message without a word") {
  Bench bench;
  bench.network.set_faults({.message_drop = 1});
  bench.network.plant({.drops_unnoted = true});
  bench.strategy.answers[Site::message_drop] = {1};
  bench.post(to, "a");
  CHECK(bench.run(us_per_s) == Lines{"sent a"});
}

TEST_CASE("a message to one who is known to be away is counted as sent and lost") {
  Bench bench;
  Message message;
  message.to = to;
  message.bytes = "a";
  bench.network.post_lost(std::move(message), DropCause::node_down);
  CHECK(bench.run(us_per_s) == Lines{"sent a", "dropped a node_down"});
}

TEST_CASE("hold takes what is in flight and what comes, release delivers in the order of posting, before newer ones") {
  Bench bench;
  // Slots of the pool: the first message frees slot 0, so that "b" has a higher slot than "c".
  bench.strategy.answers[Site::message_latency] = {0, 400};
  bench.post(to, "a");
  bench.post(to, "b");
  bench.run(100);
  bench.post(to, "c");
  bench.network.hold("all", everything());
  bench.post(to, "d");
  CHECK(bench.network.held() == 3);
  CHECK(bench.network.in_flight() == 0);
  CHECK(bench.network.messages().size() == 3);
  CHECK(bench.run(us_per_s) == Lines{"sent c", "held b", "held c", "sent d", "held d"});
  CHECK(bench.network.release("another rule", only("c")) == 1);  // the rule stays
  CHECK(bench.run(us_per_s) == Lines{"overtook c"});
  bench.post(to, "e");
  CHECK(bench.network.release("all", everything()) == 3);
  for (int i = 0; i < 60; ++i) bench.post(to, "x");
  const Lines lines = bench.run(us_per_s);
  REQUIRE(lines.size() == 2 + 3 + 120);
  CHECK(Lines(lines.begin() + 62, lines.begin() + 66) == Lines{"delivered b", "delivered d", "delivered e", "delivered x"});
}

TEST_CASE("many released messages are not overtaken by one that is posted behind them") {
  Bench bench;
  bench.network.hold("all", everything());
  for (int i = 0; i < 100; ++i) bench.post(to, "held");
  bench.network.release("all", everything());
  bench.post(to, "last");
  CHECK(bench.run(us_per_s).back() == "delivered last");
}

TEST_CASE("discard drops what is in flight and what is held, nothing of it arrives") {
  Bench bench;
  bench.network.hold("one", only("held"));
  bench.post(to, "held");
  bench.post(to, "flying");
  bench.post(to, "stays");
  CHECK(bench.network.discard([](const Message& m) { return m.bytes != "stays"; }) == 2);
  CHECK(bench.run(us_per_s) == Lines{"sent held", "held held", "sent flying", "sent stays", "dropped flying discarded",
                                     "dropped held discarded", "delivered stays"});
  CHECK(bench.network.messages().empty());
}

TEST_CASE("duplicate copies what is in flight, and what is held stays held twice") {
  Bench bench;
  bench.network.hold("one", only("held"));
  bench.post(to, "held");
  bench.post(to, "flying");
  CHECK(bench.network.duplicate(everything()) == 2);
  CHECK(bench.run(us_per_s) == Lines{"sent held", "held held", "sent flying", "copied held true", "copied flying true",
                                     "held held", "overtook flying", "overtook flying"});
  CHECK(bench.network.held() == 2);
}

TEST_CASE("who stands still is delivered to when it goes on, in order") {
  Bench bench;
  bench.post(to, "a");
  bench.scheduler.pause(to, us_per_s);
  bench.post(to, "b");
  bench.post(to + 1, "c");
  CHECK(bench.run(us_per_s - 1) == Lines{"sent a", "sent b", "sent c", "delivered c"});
  CHECK(bench.run(us_per_s) == Lines{"delivered a", "delivered b"});
}

TEST_CASE("rates may differ from message to message") {
  Bench bench;
  bench.network.set_fault_source([](Actor, const Message* message) {
    return message != nullptr && message->bytes == "b" ? NetworkFaults{.message_drop = 1} : NetworkFaults{};
  });
  bench.strategy.answers[Site::message_drop] = {1};
  for (const char* bytes : {"a", "b"}) bench.post(to, bytes);
  CHECK(bench.run(us_per_ms) == Lines{"sent a", "sent b", "dropped b chance", "delivered a"});
}

TEST_CASE("what came while a receiver stood still is taken in the order in which it came, and later ones behind it") {
  for (std::uint64_t tie = 0; tie < 6; ++tie) {
    Bench bench;
    bench.strategy.answers[Site::tie] = {tie, tie, tie};
    bench.scheduler.pause(4, us_per_s);
    for (const char* name : {"a", "b", "c"}) bench.post(4, name);
    bench.run(us_per_s - Network::latency_low_us);
    bench.post(4, "d");
    const Lines all = bench.run(us_per_s);
    CHECK(all == Lines{"sent d", "delivered a", "delivered b", "delivered c", "delivered d"});
  }
}

}  // namespace cohsim::network_bench
