// Slow scripts: who waits for them, who is heard, and when.
#include <map>
#include <string>

#include "lua/interpreter.h"
#include "sim/valkey/server.h"
#include "testing/catch.h"

using namespace cohsim::valkey;

namespace {

constexpr std::int64_t start_us = 1'800'000'000'000'000;
constexpr const char* busy =
    "-BUSY Valkey is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.\r\n";

class Bytes final : public Output {
 public:
  void send(ClientId client, std::string_view bytes) override { arrived[client] += bytes; }
  void close(ClientId client) override { arrived[client] += "closed"; }
  std::map<ClientId, std::string> arrived;
};

/// A server whose scripts are slow after 100 ms, and end after 1 s at most.
struct World {
  explicit World(const Personality& personality = valkey_8()) {
    Server::Settings settings;
    settings.output = &bytes;
    settings.personality = &personality;
    settings.instruction_limit = 1'000'000;
    settings.instructions_per_ms = 1'000;
    server = std::make_unique<Server>(interpreter, settings);
    sent(1, "CONFIG SET busy-reply-threshold 100");
  }
  std::string sent(ClientId client, const std::string& line) {
    server->receive(client, line + "\r\n", now_us);
    return taken(client);
  }
  std::string taken(ClientId client) { return std::exchange(bytes.arrived[client], {}); }
  void pass_ms(std::int64_t span) { server->advance(now_us += span * 1000); }

  cohsim::lua::Interpreter interpreter;
  Bytes bytes;
  std::unique_ptr<Server> server;
  std::int64_t now_us = start_us;
};

const std::string loop_half_a_second = "EVAL \"for i=1,500000 do end return 7\" 0";

}  // namespace

TEST_CASE("a slow script answers when it would have ended, and what its client sent behind it runs then") {
  World world;
  CHECK(world.sent(1, loop_half_a_second + "\r\nPING").empty());
  CHECK(world.server->is_blocked(1));
  CHECK(world.sent(1, "ECHO more").empty());
  CHECK(world.server->next_timeout_us() == start_us + 500'000);
  world.pass_ms(499);
  CHECK(world.taken(1).empty());
  world.pass_ms(1);
  CHECK(world.taken(1) == ":7\r\n+PONG\r\n$4\r\nmore\r\n");
  CHECK_FALSE(world.server->is_blocked(1));
  CHECK_FALSE(world.server->next_timeout_us());
}

TEST_CASE("a script below the threshold takes no time, nor does any where the threshold is 0") {
  World world;
  CHECK(world.sent(1, "EVAL \"for i=1,80000 do end return 7\" 0") == ":7\r\n");
  world.sent(1, "CONFIG SET busy-reply-threshold 0");
  CHECK(world.sent(1, loop_half_a_second) == ":7\r\n");
}

TEST_CASE("until the threshold nobody is heard, from then all are busy, and after the end they are answered") {
  World world;
  world.sent(1, loop_half_a_second);
  CHECK(world.sent(2, "SET k v").empty());
  CHECK(world.sent(3, "GET k").empty());
  CHECK(world.server->next_timeout_us() == start_us + 100'000);
  world.pass_ms(100);
  CHECK(world.taken(2) == busy);
  CHECK(world.taken(3) == busy);
  CHECK(world.server->next_timeout_us() == start_us + 500'000);
  CHECK(world.sent(2, "GET k") == busy);
  world.now_us += 400'000;
  CHECK(world.sent(2, "GET k") == "$-1\r\n");
  CHECK(world.taken(1) == ":7\r\n");
}

TEST_CASE("who was not heard before the end is answered after it") {
  World world;
  world.sent(1, loop_half_a_second);
  CHECK(world.sent(2, "PING").empty());
  world.server->disconnect(1);
  world.pass_ms(600);
  CHECK(world.taken(1).empty());
  CHECK(world.taken(2) == "+PONG\r\n");
}

TEST_CASE("a script is killed by whoever is heard first, and others are heard after it") {
  World world;
  world.sent(1, "EVAL \"\\nwhile true do end\" 0");
  CHECK(world.sent(2, "SCRIPT KILL").empty());
  CHECK(world.sent(3, "PING").empty());
  world.pass_ms(100);
  CHECK(world.taken(2) == "+OK\r\n");
  CHECK(world.taken(1) ==
        "-ERR Script killed by user with SCRIPT KILL... script: 3be870373810a27b6f6df903d8e3aad2dfcd93d3, on "
        "@user_script:2.\r\n");
  CHECK(world.taken(3) == "+PONG\r\n");
}

TEST_CASE("a script that has written cannot be killed") {
  World world;
  world.sent(1, "EVAL \"redis.call('SET','k','v') for i=1,500000 do end return 7\" 0");
  world.pass_ms(200);
  CHECK(world.sent(2, "SCRIPT KILL").rfind("-UNKILLABLE Sorry the script already executed write commands", 0) == 0);
  world.pass_ms(300);
  CHECK(world.taken(1) == ":7\r\n");
  CHECK(world.sent(2, "GET k") == "$1\r\nv\r\n");
}

TEST_CASE("blocked clients wait for the end of a slow script, for their keys and for their time") {
  World world;
  world.sent(2, "BLPOP list 0");
  world.sent(3, "BLPOP other 0.2");
  world.sent(1, "EVAL \"redis.call('RPUSH','list','v') for i=1,500000 do end return 7\" 0");
  world.pass_ms(300);
  CHECK(world.taken(2).empty());
  CHECK(world.taken(3).empty());
  world.pass_ms(200);
  CHECK(world.taken(1) == ":7\r\n");
  CHECK(world.taken(2) == "*2\r\n$4\r\nlist\r\n$1\r\nv\r\n");
  CHECK(world.taken(3) == "*-1\r\n");
}

TEST_CASE("a transaction with a slow script is answered as a whole") {
  World world;
  world.sent(1, "MULTI\r\nSET k v\r\n" + loop_half_a_second + "\r\nGET k");
  CHECK(world.sent(1, "EXEC").empty());
  world.pass_ms(500);
  CHECK(world.taken(1) == "*3\r\n+OK\r\n:7\r\n$1\r\nv\r\n");
}

TEST_CASE("a script that a transaction runs is killed, and its other commands answer") {
  for (const Personality& personality : personalities()) {
    World world(personality);
    world.sent(1, "MULTI\r\nPING\r\nEVAL \"while true do end\" 0\r\nGET k");
    world.sent(1, "EXEC");
    world.pass_ms(200);
    CHECK(world.sent(2, "SCRIPT KILL") == "+OK\r\n");
    CHECK(world.taken(1) ==
          "*3\r\n+PONG\r\n-ERR Script killed by user with SCRIPT KILL... script: "
          "694a5fe1ddb97a4c6a1bf299d9537c7d3d0f84e7, on @user_script:1.\r\n$-1\r\n");
    CHECK(world.server->not_simulated().empty());
  }
}

TEST_CASE("a threshold beyond all limits is never reached") {
  World world;
  world.sent(1, "CONFIG SET busy-reply-threshold 18446744073709552");  // by 1000 beyond 64 bits, which would leave 384
  CHECK(world.sent(1, loop_half_a_second) == ":7\r\n");
}

TEST_CASE("SCRIPT DEBUG wants no replies before its own, and a script that is debugged is not simulated") {
  World world;
  CHECK(world.sent(1, "PING\r\nSCRIPT DEBUG NO") ==
        "+PONG\r\n-ERR SCRIPT DEBUG must be called outside a pipeline\r\n");
  CHECK(world.sent(1, "SCRIPT DEBUG YES") == "+OK\r\n");
  CHECK(world.server->not_simulated().empty());
  world.sent(1, "EVAL \"return 1\" 0");
  CHECK(world.server->not_simulated() == "a script that a client debugs");
}

TEST_CASE("scripts of Redis 7.0 see the clock go on and nothing expire, those of Valkey 8 see it stand still") {
  const std::string script =
      "EVAL \"redis.call('SET','k','v','PX','30') for i=1,50000 do end redis.call('SET','l','v','PX','30') "
      "return {redis.call('PTTL','k'), redis.call('EXISTS','k')}\" 0";
  World redis(redis_7_0());
  CHECK(redis.sent(1, script) == "*2\r\n:0\r\n:1\r\n");
  redis.pass_ms(31);
  CHECK(redis.sent(1, "EXISTS k l") == ":1\r\n");
  CHECK(redis.sent(1, "EVAL \"for i=1,300000 do end redis.call('PING') return 7\" 0").empty());
  CHECK(redis.server->next_timeout_us() == redis.now_us + 300'000);
  World valkey;
  CHECK(valkey.sent(1, script) == "*2\r\n:30\r\n:1\r\n");
  valkey.pass_ms(31);
  CHECK(valkey.sent(1, "EXISTS k l") == ":0\r\n");
}

TEST_CASE("a rehearsal takes libraries back, and a restart keeps them where it keeps the rows") {
  World world;
  const std::vector<std::string> load{"FUNCTION", "LOAD", "#!lua name=l\nredis.register_function('f', function() return 1 end)"};
  CHECK(to_text(world.server->rehearse(load, world.now_us)) == "\"l\"");
  CHECK(world.sent(1, "FCALL f 0") == "-ERR Function not found\r\n");
  world.server->execute(9, load, world.now_us);
  CHECK(to_text(world.server->rehearse(std::vector<std::string>{"FUNCTION", "FLUSH"}, world.now_us)) == "OK");
  CHECK(world.sent(1, "FCALL f 0") == ":1\r\n");
  world.server->restart(true);
  CHECK(world.sent(1, "FCALL f 0") == ":1\r\n");
  world.server->restart(false);
  CHECK(world.sent(1, "FCALL f 0") == "-ERR Function not found\r\n");
}
