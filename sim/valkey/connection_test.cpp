// Connections beside what recorded cases replay: cluster mode, rehearsals, and what clients of `execute` get.
#include <map>
#include <string>
#include <vector>

#include "lua/interpreter.h"
#include "sim/valkey/server.h"
#include "sim/valkey/slots.h"
#include "testing/catch.h"

using namespace cohsim::valkey;

namespace {

constexpr std::int64_t start_us = 1'800'000'000'000'000;
using Args = std::vector<std::string>;

class Bytes final : public Output {
 public:
  void send(ClientId client, std::string_view bytes) override { arrived[client] += bytes; }
  void close(ClientId client) override { arrived[client] += "closed"; }
  std::map<ClientId, std::string> arrived;
};

struct World {
  explicit World(bool cluster = false) {
    Server::Settings settings;
    settings.output = &bytes;
    settings.cluster = cluster;
    settings.personality = &redis_7_0();
    server = std::make_unique<Server>(interpreter, settings);
  }
  std::string text(const Args& args) { return to_text(server->execute(1, args, start_us)); }
  std::string sent(ClientId client, const std::string& line) {
    server->receive(client, line + "\r\n", start_us);
    return std::exchange(bytes.arrived[client], {});
  }

  cohsim::lua::Interpreter interpreter;
  Bytes bytes;
  std::unique_ptr<Server> server;
};

const std::string crossed = "(error) CROSSSLOT Keys in request don't hash to the same slot";

}  // namespace

TEST_CASE("keys lie in the slots that a real cluster gives them") {
  CHECK(key_slot("k") == 7629);
  CHECK(key_slot("{k}x") == 7629);
  CHECK(key_slot("{}k") == 2865);
  CHECK(key_slot("a{b") == 13340);
}

TEST_CASE("in cluster mode the keys of a command and of a transaction share a slot") {
  World world(true);
  CHECK(world.text({"MSET", "{a}1", "1", "{a}2", "2"}) == "OK");
  CHECK(world.text({"DEL", "a", "b"}) == crossed);
  CHECK(world.text({"SELECT", "1"}) == "(error) ERR SELECT is not allowed in cluster mode");
  CHECK(world.text({"EVAL", "return 1", "2", "a", "b"}) == crossed);
  world.text({"MULTI"});
  CHECK(world.text({"SET", "a", "1"}) == "QUEUED");
  CHECK(world.text({"SET", "b", "1"}) == "QUEUED");
  CHECK(world.text({"EXEC"}) == crossed);
  CHECK(world.text({"EXEC"}) == "(error) ERR EXEC without MULTI");
  world.text({"MULTI"});
  CHECK(world.text({"EXISTS", "a", "b"}) == crossed);
  CHECK(world.text({"EXEC"}) == "(error) EXECABORT Transaction discarded because of previous errors.");
}

TEST_CASE("in cluster mode a script with a shebang keeps to one slot") {
  World world(true);
  const std::string strays = "(error) ERR Script attempted to access keys that do not hash to the same slot";
  CHECK(world.text({"EVAL", "return redis.pcall('EXISTS','b','a')", "0"}) ==
        "(error) ERR Script attempted to access a non local key in a cluster node");
  CHECK(world.text({"EVAL", "redis.call('GET','b') return redis.call('GET','a')", "1", "a"}) == "(nil)");
  CHECK(world.text({"EVAL", "#!lua\nreturn redis.pcall('GET','b')", "1", "a"}) == strays);
  CHECK(world.text({"EVAL", "#!lua\nreturn redis.pcall('GET','b')", "0"}) == "(nil)");
  CHECK(world.text({"EVAL", "#!lua\nredis.call('GET','a') return redis.pcall('GET','b')", "0"}) == strays);
  CHECK(world.text({"EVAL", "#!lua flags=allow-cross-slot-keys\nredis.call('GET','a') return redis.pcall('GET','b')",
                    "0"}) == "(nil)");
  CHECK(world.text({"EVAL", "#!lua flags=no-cluster\nreturn 1", "0"}) ==
        "(error) ERR Can not run script on cluster, 'no-cluster' flag is set.");
}

TEST_CASE("a rehearsal leaves configuration, watched keys and subscribers as they were") {
  World world;
  CHECK(world.sent(2, "WATCH k") == "+OK\r\n");
  CHECK(world.sent(2, "MULTI") == "+OK\r\n");
  CHECK(world.sent(3, "SUBSCRIBE c") == "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n");
  world.server->rehearse(Args{"CONFIG", "SET", "maxmemory", "1", "notify-keyspace-events", "KEA"}, start_us);
  world.server->rehearse(Args{"SET", "k", "1"}, start_us);
  world.server->rehearse(Args{"PUBLISH", "c", "m"}, start_us);
  CHECK(world.text({"CONFIG", "GET", "maxmemory"}) == "%[\"maxmemory\", \"0\"]");
  CHECK(world.sent(2, "EXEC") == "*0\r\n");
  CHECK(world.bytes.arrived[3].empty());
}

TEST_CASE("clients of execute get one reply for every command") {
  World world;
  CHECK(world.text({"CLIENT", "REPLY", "OFF"}) == "(nil)");
  CHECK(world.text({"PING"}) == "PONG");
  world.text({"SUBSCRIBE", "c"});
  CHECK(world.text({"QUIT"}) == "OK");
  CHECK(world.sent(2, "PUBLISH c m") == ":0\r\n");
}

TEST_CASE("a blocked connection is freed by CLIENT UNBLOCK, and a killed one closed behind what it got") {
  World world;
  CHECK(world.sent(4, "BLPOP q 0").empty());
  CHECK(world.server->is_blocked(4));
  CHECK(world.sent(2, "CLIENT UNBLOCK 4") == ":1\r\n");
  CHECK(world.bytes.arrived[4] == "*-1\r\n");
  CHECK(world.sent(3, "SUBSCRIBE c").size() > 10);
  CHECK(world.sent(2, "CLIENT KILL ID 3") == ":1\r\n");
  CHECK(world.bytes.arrived[3] == "closed");
  CHECK(world.sent(2, "CLIENT KILL ID 2 SKIPME no") == ":1\r\nclosed");
}

TEST_CASE("what a freed client has sent runs behind what its rescuer sent, and may kill it") {
  World world;
  CHECK(world.sent(3, "BLPOP q 0\r\nCLIENT KILL ID 2").empty());
  CHECK(world.sent(2, "CLIENT UNBLOCK 3\r\nSET k 1\r\nPING") == ":1\r\n+OK\r\n+PONG\r\nclosed");
  CHECK(world.bytes.arrived[3] == "*-1\r\n:1\r\n");
}

TEST_CASE("all whose time is up are answered before anything that they have sent runs") {
  World world;
  CHECK(world.sent(3, "BLPOP q 1\r\nCLIENT KILL ID 4").empty());
  CHECK(world.sent(4, "BLPOP q 1").empty());
  world.server->advance(start_us + 5'000'000);
  CHECK(world.bytes.arrived[3] == "*-1\r\n:1\r\n");
  CHECK(world.bytes.arrived[4] == "*-1\r\nclosed");
}

TEST_CASE("a connection that waits is served by what a client of execute pushes") {
  World world;
  CHECK(world.sent(3, "BLPOP q 0\r\nPING").empty());
  world.server->rehearse(Args{"RPUSH", "q", "a"}, start_us);
  CHECK(world.bytes.arrived[3].empty());
  CHECK(world.text({"RPUSH", "q", "b"}) == "(integer) 1");
  CHECK(world.bytes.arrived[3] == "*2\r\n$1\r\nq\r\n$1\r\nb\r\n+PONG\r\n");
  CHECK(world.text({"EXISTS", "q"}) == "(integer) 0");
}

TEST_CASE("invalidations go to the connection that they are redirected to") {
  World world;
  CHECK(world.sent(3, "SUBSCRIBE __redis__:invalidate").size() > 10);
  CHECK(world.sent(2, "CLIENT TRACKING on REDIRECT 3") == "+OK\r\n");
  CHECK(world.sent(2, "GET k") == "$-1\r\n");
  CHECK(world.text({"SET", "k", "1"}) == "OK");
  CHECK(world.bytes.arrived[3] == "*3\r\n$7\r\nmessage\r\n$20\r\n__redis__:invalidate\r\n*1\r\n$1\r\nk\r\n");
  world.server->disconnect(3);
  CHECK(world.sent(2, "GET k") == "$1\r\n1\r\n");
  CHECK(world.text({"SET", "k", "2"}) == "OK");
  CHECK(world.sent(2, "CLIENT TRACKINGINFO") ==
        "*6\r\n$5\r\nflags\r\n*2\r\n$2\r\non\r\n$15\r\nbroken_redirect\r\n$8\r\nredirect\r\n:3\r\n$8\r\nprefixes\r\n*0\r\n");
}

TEST_CASE("a client that keeps more waiting than client-query-buffer-limit is closed without a word") {
  World world;
  CHECK(world.sent(1, "CONFIG SET client-query-buffer-limit 1mb") == "+OK\r\n");
  constexpr std::size_t limit = 1024 * 1024;
  const std::string head = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$";
  CHECK(world.sent(2, head + std::to_string(limit - 2) + "\r\n" + std::string(limit - 2, 'x')) == "+OK\r\n");  // `sent` ends it
  CHECK(world.sent(3, head + std::to_string(2 * limit) + "\r\n" + std::string(limit, 'x')) == "closed");

  CHECK(world.sent(4, "BLPOP q 0").empty());
  CHECK(world.sent(4, "SET k " + std::string(700'000, 'x')).empty());
  CHECK(world.sent(4, "SET k " + std::string(700'000, 'x')) == "closed");
}

TEST_CASE("proto-max-bulk-len bounds arguments and what commands make of strings") {
  World world;
  CHECK(world.sent(1, "CONFIG SET proto-max-bulk-len 1mb") == "+OK\r\n");
  CHECK(world.sent(1, "SETRANGE k 1048576 x") == "-ERR string exceeds maximum allowed size (proto-max-bulk-len)\r\n");
  CHECK(world.sent(1, "SETRANGE k 1048575 x") == ":1048576\r\n");
  CHECK(world.sent(1, "SETBIT k 8388608 1") == "-ERR bit offset is not an integer or out of range\r\n");
  CHECK(world.sent(1, "*1\r\n$1048577") == "-ERR Protocol error: invalid bulk length\r\nclosed");
}
