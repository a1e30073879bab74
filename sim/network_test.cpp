// Connections: order, every way to break, partitions. Messages stand in network_messages_test.cpp.
#include "testing/catch.h"

#include "sim/network_bench.h"

namespace cohsim::network_bench {

namespace {

constexpr Actor node = actor_first_node;
constexpr DurationUs way = Network::latency_low_us;

/// A bench whose first request meets a reset of the given outcome: 0 never ran, 1 its reply is lost, 2 it runs late.
struct ResetBench : Bench {
  explicit ResetBench(std::uint64_t outcome) {
    network.set_faults({.connection_reset = 1});
    strategy.answers[Site::connection_reset] = {1};
    strategy.answers[Site::reset_outcome] = {outcome};
  }
};

}  // namespace

TEST_CASE("requests of one connection run in order and their replies come in order, whatever the latencies") {
  Bench bench;
  const ConnectionId id = bench.network.open(node);
  bench.strategy.answers[Site::request_latency] = {400, 0, 0};
  bench.strategy.answers[Site::reply_latency] = {400, 0, 0};
  for (const char* name : {"a", "b", "c"}) bench.ask(id, name);
  CHECK(bench.run(us_per_s) == Lines{"ran a", "ran b", "ran c", "a got a", "b got b", "c got c"});
}

TEST_CASE("a reset: the command never ran, and nothing behind it in the stream did") {
  ResetBench bench(0);
  const ConnectionId id = bench.network.open(node);
  bench.strategy.answers[Site::broken_in_flight] = {1};
  bench.ask(id, "a");
  bench.ask(id, "b");
  CHECK(bench.run(us_per_s) == Lines{"0 broke: reset", "a got disconnected", "b got disconnected", "0 up, epoch 2"});
}

TEST_CASE("a reset: the command ran and its reply is lost") {
  ResetBench bench(1);
  const ConnectionId id = bench.network.open(node);
  bench.ask(id, "a");
  CHECK(bench.run(us_per_s) == Lines{"ran a", "0 broke: reset", "a got disconnected", "0 up, epoch 2"});
}

TEST_CASE("a reset: the command runs after its client saw the break, and what follows it in the stream runs behind it") {
  ResetBench bench(2);
  const ConnectionId id = bench.network.open(node);
  bench.strategy.answers[Site::request_latency] = {0, 0, 0, 1'000'000};
  bench.strategy.answers[Site::broken_in_flight] = {1, 1};
  for (const char* name : {"a", "b", "c"}) bench.ask(id, name);
  CHECK(bench.run(900'000) ==
        Lines{"0 broke: reset", "a got disconnected", "b got disconnected", "c got disconnected", "0 up, epoch 2"});
  bench.ask(id, "d");
  CHECK(bench.run(us_per_ms) == Lines{"ran d", "d got d"});  // the new stream waits for nothing
  CHECK(bench.run(us_per_s) == Lines{"ran late a", "ran late b", "ran late c"});
}

TEST_CASE("of the requests in flight on a broken connection a prefix runs, as chosen") {
  for (const std::uint64_t running : {0U, 1U, 2U, 3U}) {
    Bench bench;
    const ConnectionId id = bench.network.open(node);
    for (std::uint64_t i = 0; i < 3; ++i) bench.strategy.answers[Site::broken_in_flight].push_back(i < running);
    for (const char* name : {"a", "b", "c"}) bench.ask(id, name);
    bench.run(way / 2);
    bench.network.break_connection(id, "test");
    Lines expected{"0 broke: test", "a got disconnected", "b got disconnected", "c got disconnected"};
    for (std::uint64_t i = 0; i < running; ++i) expected.push_back("ran late " + std::string(1, static_cast<char>('a' + i)));
    CHECK(bench.run(us_per_ms / 2) == expected);
  }
}

TEST_CASE("a connection that is down fails calls at once, and comes up with the next epoch") {
  Bench bench;
  const ConnectionId id = bench.network.open(node);
  ConnectionId came_up = 99;
  bench.network.on_up = [&](ConnectionId up) { came_up = up; };
  bench.network.break_connection(id, "test");
  bench.network.break_connection(id, "again");  // no effect: it is down
  bench.ask(id, "a");
  CHECK(bench.run(0) == Lines{"0 broke: test", "a got disconnected"});
  CHECK_FALSE(bench.network.up(id));
  CHECK(bench.run(Network::reconnect_high_us) == Lines{"0 up, epoch 2"});
  CHECK(came_up == id);
  CHECK(bench.network.up(id));
  CHECK(bench.network.epoch(id) == 2);
}

TEST_CASE("a dead client: its request may run, nothing is written into its frame, and its connection is forgotten") {
  Bench bench;
  const ConnectionId id = bench.network.open(node);
  const ConnectionId other = bench.network.open(node + 1);
  SECTION("the request is under way") {
    bench.strategy.answers[Site::broken_in_flight] = {1};
    bench.ask(id, "a");
    bench.run(way / 2);
    bench.scheduler.kill_all_of(node);
    bench.network.close_all_of(node);
    CHECK(bench.network.connections() == 2);
    CHECK(bench.run(us_per_s) == Lines{"0 broke: node died", "ran late a"});
  }
  SECTION("the reply is under way") {
    bench.ask(id, "a");
    CHECK(bench.run(way + 1) == Lines{"ran a"});
    bench.scheduler.kill_all_of(node);
    bench.network.close_all_of(node);
    CHECK(bench.run(us_per_s) == Lines{"0 broke: node died"});
  }
  SECTION("only the fiber died: its reply is taken from the stream all the same") {
    bench.scheduler.kill(bench.ask(id, "never sent"));
    const FiberId dead = bench.ask(id, "a");
    bench.ask(id, "b");
    bench.run(way / 2);
    bench.scheduler.kill(dead);
    CHECK(bench.run(us_per_s) == Lines{"ran a", "ran b", "b got b"});
    bench.network.close_all_of(node);
  }
  CHECK(bench.network.connections() == 1);
  CHECK_FALSE(bench.network.up(id));
  CHECK(bench.network.up(other));
}

TEST_CASE("a restart of the server breaks every connection, and nothing that was on its way runs any more") {
  ResetBench bench(2);
  const ConnectionId id = bench.network.open(node), other = bench.network.open(node + 1);
  bench.strategy.answers[Site::broken_in_flight] = {1, 1, 1, 1};
  bench.strategy.answers[Site::request_latency] = {0, 500'000};
  bench.ask(id, "a");  // would run late
  CHECK(bench.run(us_per_ms / 2) == Lines{"0 broke: reset", "a got disconnected"});
  bench.strategy.answers[Site::request_latency] = {100};
  bench.ask(other, "b");
  bench.run(1);
  bench.network.break_all("restart");
  CHECK(bench.run(us_per_s) == Lines{"1 broke: restart", "b got disconnected", "0 up, epoch 2", "1 up, epoch 2"});
}

TEST_CASE("a request may restart the server that runs it: it ran, and its reply is lost") {
  Bench bench;
  const ConnectionId id = bench.network.open(node);
  bench.ask(id, "a", [&] { bench.network.break_all("restart"); });
  CHECK(bench.run(us_per_s) == Lines{"ran a", "0 broke: restart", "a got disconnected", "0 up, epoch 2"});
}

TEST_CASE("a cut on the way there: the request is lost, the client waits until its time-out, and reconnects once healed") {
  Bench bench;
  const ConnectionId id = bench.network.open(node);
  bench.network.partition(node, actor_server);
  bench.ask(id, "a");
  CHECK(bench.run(Network::timeout_us - 1).empty());
  CHECK(bench.run(2) == Lines{"0 broke: timeout", "a got disconnected"});
  CHECK(bench.run(us_per_s).empty());  // still cut
  bench.network.heal(node, actor_server);
  CHECK(bench.run(us_per_s) == Lines{"0 up, epoch 2"});
}

TEST_CASE("a cut on the way back: the request runs, and a stalled connection never pairs a reply with another request") {
  Bench bench;
  const ConnectionId id = bench.network.open(node);
  bench.network.partition(actor_server, node);
  bench.ask(id, "a");
  CHECK(bench.run(us_per_ms) == Lines{"ran a"});
  bench.network.heal_all();
  bench.ask(id, "b");  // the stream lost bytes: healing does not bring them back
  CHECK(bench.run(us_per_s + us_per_ms) ==
        Lines{"0 broke: timeout", "a got disconnected", "b got disconnected", "0 up, epoch 2"});
  bench.ask(id, "c");
  CHECK(bench.run(us_per_ms) == Lines{"ran c", "c got c"});
}

TEST_CASE("the planted defect pairs replies with the wrong request, and is seen") {
  Bench bench;
  bench.network.plant({.reply_to_last_waiter = true});
  const ConnectionId id = bench.network.open(node);
  bench.ask(id, "a");
  bench.ask(id, "b");
  CHECK(bench.run(us_per_s) ==
        Lines{"ran a", "ran b", "reply 1 used by 2", "b got a", "reply 2 used by 1", "a got b"});
}

TEST_CASE("a connection that is cut off does not come up before its time, and what is asked meanwhile fails at once") {
  Bench bench;
  const ConnectionId id = bench.network.open(node);
  bench.network.cut_off(id, us_per_s, "away");
  bench.ask(id, "a");
  CHECK(bench.run(us_per_s - 1) == Lines{"0 broke: away", "a got disconnected"});
  CHECK(bench.run(1) == Lines{"0 up, epoch 2"});
  bench.ask(id, "b");
  CHECK(bench.run(us_per_s) == Lines{"ran b", "b got b"});
}

TEST_CASE("a reset that was asked for meets the next request of that client alone") {
  Bench bench;
  const ConnectionId mine = bench.network.open(node), other = bench.network.open(node + 1);
  bench.network.reset_next(node, 2);
  bench.ask(other, "other");
  bench.ask(mine, "a");
  CHECK(bench.run(us_per_s) == Lines{"ran other", "ran a", "0 broke: reset", "a got disconnected", "other got other",
                                     "0 up, epoch 2"});
  bench.ask(mine, "b");
  CHECK(bench.run(us_per_s) == Lines{"ran b", "b got b"});
}

TEST_CASE("a held server runs nothing, then what has arrived in the order of its arrival") {
  Bench bench;
  const ConnectionId one = bench.network.open(node), other = bench.network.open(node + 1);
  bench.network.hold_server(500'000);
  bench.ask(one, "a");
  bench.ask(other, "b");
  bench.ask(one, "c");
  CHECK(bench.run(499'999).empty());
  CHECK(bench.run(us_per_ms) == Lines{"ran a", "ran b", "ran c", "a got a", "b got b", "c got c"});
}

TEST_CASE("a request that holds the server: its own reply waits too, and so do those behind it") {
  Bench bench;
  const ConnectionId one = bench.network.open(node), other = bench.network.open(node + 1);
  bench.ask(one, "a", [&] { bench.network.hold_server(bench.scheduler.now() + 300'000); });
  CHECK(bench.run(way) == Lines{"ran a"});
  bench.ask(other, "b");
  CHECK(bench.run(299'000).empty());
  CHECK(bench.run(us_per_ms + 2 * way) == Lines{"ran b", "a got a", "b got b"});
}

TEST_CASE("who hears nothing from a held server gives up, reconnects, and its request runs or not as chosen") {
  for (const std::uint64_t runs : {0, 1}) {
    Bench bench;
    const ConnectionId id = bench.network.open(node);
    bench.strategy.answers[Site::broken_in_flight] = {runs};
    bench.network.hold_server(3 * us_per_s);
    bench.ask(id, "a");
    CHECK(bench.run(2 * us_per_s) == Lines{"0 broke: timeout", "a got disconnected", "0 up, epoch 2"});
    CHECK(bench.run(2 * us_per_s) == (runs != 0 ? Lines{"ran late a"} : Lines{}));
  }
}

TEST_CASE("a hold may end early, or be drawn out while requests wait") {
  Bench bench;
  const ConnectionId id = bench.network.open(node);
  bench.network.hold_server(500'000);
  bench.ask(id, "a");
  CHECK(bench.run(400'000).empty());
  bench.network.hold_server(900'000);
  CHECK(bench.run(400'000).empty());
  bench.network.hold_server(0);
  CHECK(bench.run(us_per_ms) == Lines{"ran a", "a got a"});
}

TEST_CASE("a restart throws away what waited at a held server") {
  Bench bench;
  const ConnectionId id = bench.network.open(node);
  bench.network.hold_server(500'000);
  bench.ask(id, "a");
  bench.run(100'000);
  bench.network.break_all("server restarted");
  bench.network.hold_server(0);
  CHECK(bench.run(us_per_s) == Lines{"0 broke: server restarted", "a got disconnected", "0 up, epoch 2"});
}

}  // namespace cohsim::network_bench
