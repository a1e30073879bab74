// The fake server beside what cases.txt replays: who is told of what, expiry, rehearsal, restarts.
#include "sim/valkey/server.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "lua/interpreter.h"
#include "lua/script_source.h"
#include "testing/catch.h"

using namespace cohsim::valkey;
using cohsim::lua::Interpreter;

namespace {

constexpr std::int64_t start_us = 1'800'000'000'000'000;
using Args = std::vector<std::string>;

/// Writes down, line by line, what it is told.
class Witness final : public RowObserver, public PushSink {
 public:
  void row_changed(std::string_view key, const Row* before, const Row* after, std::string_view cause) override {
    lines.push_back(std::string(cause) + " " + std::string(key) + " " + shown(before) + " -> " + shown(after));
    if (throws) throw std::runtime_error("observer");
  }
  void push(ClientId subscriber, std::string_view channel, std::string_view payload) override {
    lines.push_back("push " + std::to_string(subscriber) + " " + std::string(channel) + " " + std::string(payload));
  }
  std::vector<std::string> take() { return std::exchange(lines, {}); }

  std::vector<std::string> lines;
  bool throws = false;

 private:
  static std::string shown(const Row* row) {
    if (row == nullptr) return "none";
    return row->bytes + (row->deadline_ms ? "@" + std::to_string(*row->deadline_ms - start_us / 1000) : "");
  }
};

struct World {
  World() {
    Server::Settings settings;
    settings.rows = &witness;
    settings.pushes = &witness;
    settings.instruction_limit = 100'000;
    server = std::make_unique<Server>(interpreter, settings);
  }
  Reply run(const Args& args) { return server->execute(1, args, now_us); }
  std::string text(const Args& args) { return to_text(run(args)); }

  Interpreter interpreter;
  Witness witness;
  std::unique_ptr<Server> server;
  std::int64_t now_us = start_us;
};

}  // namespace

TEST_CASE("observers hear of every change of a row, when it happens") {
  World world;
  world.run({"SET", "a", "1", "PX", "10"});
  world.run({"SET", "a", "2", "KEEPTTL"});
  world.run({"PERSIST", "a"});
  world.run({"EXPIRE", "a", "1"});
  world.run({"EXPIRE", "a", "1"});
  world.run({"GET", "a"});
  world.run({"EVAL", "redis.call('set', 'b', 'x') return redis.call('DEL', 'a', 'b', 'c')", "0"});
  world.run({"SET", "p", "1", "PXAT", "1"});
  world.run({"SET", "d", "1"});
  world.run({"PEXPIRE", "d", "-1"});
  world.run({"SET", "e", "1"});
  world.run({"GETDEL", "e"});
  CHECK(world.witness.take() ==
        std::vector<std::string>{"SET a none -> 1@10", "SET a 1@10 -> 2@10", "PERSIST a 2@10 -> 2",
                                 "EXPIRE a 2 -> 2@1000", "SET b none -> x", "DEL a 2@1000 -> none", "DEL b x -> none",
                                 "SET d none -> 1", "DEL d 1 -> none", "SET e none -> 1", "DEL e 1 -> none"});
  world.run({"SET", "y", "1"});
  world.run({"SET", "x", "1"});
  world.witness.take();
  world.run({"FLUSHALL"});
  CHECK(world.witness.take() == std::vector<std::string>{"FLUSHALL x 1 -> none", "FLUSHALL y 1 -> none"});
}

TEST_CASE("a row lives at its deadline and is gone behind it") {
  World world;
  world.run({"SET", "k", "v", "PX", "10"});
  world.witness.take();
  world.now_us += 10'999;
  CHECK(world.text({"PTTL", "k"}) == "(integer) 0");
  CHECK(world.text({"GET", "k"}) == "\"v\"");
  CHECK(world.server->peek("k", world.now_us).has_value());
  world.now_us += 1;
  CHECK_FALSE(world.server->peek("k", world.now_us).has_value());
  CHECK(world.server->peek_all(world.now_us).empty());
  CHECK(world.witness.take().empty());
  world.server->suspend_expiry(true);
  CHECK(world.text({"GET", "k"}) == "\"v\"");
  CHECK(world.text({"PTTL", "k"}) == "(integer) 0");
  CHECK(world.server->peek("k", world.now_us)->deadline_ms == start_us / 1000 + 10);
  world.server->suspend_expiry(false);
  CHECK(world.text({"KEYS", "*"}) == "[]");
  CHECK(world.text({"EXISTS", "k"}) == "(integer) 0");
  CHECK(world.witness.take() == std::vector<std::string>{"expired k v@10 -> none"});
}

TEST_CASE("time is frozen in a script") {
  World world;
  CHECK(world.text({"EVAL",
                    "local a = redis.call('TIME') for i = 1, 1e4 do end local b = redis.call('TIME') return "
                    "{a[1], a[2], b[1] == a[1] and b[2] == a[2]}",
                    "0"}) == "[\"1800000000\", \"0\", (integer) 1]");
}

TEST_CASE("a rehearsal answers as the command would and takes everything back") {
  World world;
  world.run({"SET", "a", "1", "PX", "5"});
  world.run({"SET", "b", "2"});
  world.server->execute(2, Args{"SUBSCRIBE", "ch"}, world.now_us);
  const auto rows = world.server->peek_all(world.now_us);
  world.witness.take();
  const Args script = {"EVAL",
                       "redis.call('DEL', 'a') redis.call('SET', 'b', '3') redis.call('SET', 'c', '4') "
                       "redis.call('PUBLISH', 'ch', 'm') redis.call('FLUSHALL') return redis.call('EXISTS', 'a', 'b')",
                       "0"};
  CHECK(to_text(world.server->rehearse(script, world.now_us)) == "(integer) 0");
  CHECK(to_text(world.server->rehearse(Args{"GET", "a"}, world.now_us + 6'000)) == "(nil)");
  CHECK(to_text(world.server->rehearse(Args{"SCRIPT", "LOAD", "return 1"}, world.now_us)).size() == 42);
  CHECK(to_text(world.server->rehearse(Args{"SUBSCRIBE", "ch"}, world.now_us)).size() > 10);
  const std::string random =
      to_text(world.server->rehearse(Args{"EVAL", "return math.random(1000000)", "0"}, world.now_us));
  CHECK(world.witness.take().empty());
  CHECK(world.server->peek_all(world.now_us) == rows);
  CHECK(world.text({"SCRIPT", "EXISTS", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"}) == "[(integer) 0]");
  CHECK(world.text({"EVAL", "return math.random(1000000)", "0"}) == random);
  CHECK(world.text({"PUBLISH", "ch", "m"}) == "(integer) 1");
  CHECK(world.witness.take() == std::vector<std::string>{"push 2 ch m"});
}

TEST_CASE("a rehearsal that flushes the scripts gives them back, an exception in it as well") {
  World world;
  world.run({"SCRIPT", "LOAD", "return 1"});
  CHECK(to_text(world.server->rehearse(Args{"SCRIPT", "FLUSH"}, world.now_us)) == "OK");
  CHECK(world.text({"EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "0"}) == "(integer) 1");
  CHECK_THROWS_AS(world.server->rehearse(Args{}, world.now_us), std::invalid_argument);
  world.run({"SET", "a", "1"});
  CHECK(world.witness.take() == std::vector<std::string>{"SET a none -> 1"});
}

TEST_CASE("a script call reports the keys that its commands named, and where it was stopped") {
  World world;
  ScriptReport report;
  const Args touching = {
      "EVAL", "redis.call('GET', KEYS[1]) redis.call('DEL', 'x', 'y') redis.pcall('SET', 'z') redis.call('PING')", "1",
      "k"};
  world.server->execute_reported(1, touching, world.now_us, report);
  CHECK(report.keys_touched == std::set<std::string, std::less<>>{"k", "x", "y"});
  CHECK_FALSE(report.endless);
  ScriptReport endless;
  const Args looping = {"EVAL", "local n = 0\nwhile true do\n n = n + 1 end", "0"};
  CHECK(world.server->execute_reported(1, looping, world.now_us, endless).is_error());
  CHECK(endless.endless);
  CHECK(endless.endless_at.rfind("user_script:", 0) == 0);
}

TEST_CASE("the first command that is not simulated is remembered with its place") {
  World world;
  CHECK(world.text({"GET", "k", "x"}) == "(error) ERR wrong number of arguments for 'get' command");
  CHECK(world.text({"NOSUCH"}) == "(error) ERR unknown command 'NOSUCH', with args beginning with: ");
  CHECK(world.server->not_simulated().empty());
  CHECK(world.text({"EVAL", "\n\nreturn redis.pcall('pfcount', 'x')", "0"}) == "(error) ERR 'PFCOUNT' is not simulated");
  CHECK(world.server->not_simulated() == "PFCOUNT, called at user_script:3");
  CHECK(world.text({"geohash", "g"}) == "(error) ERR 'GEOHASH' is not simulated");
  CHECK(world.server->not_simulated() == "PFCOUNT, called at user_script:3");
}

TEST_CASE("pushes go to subscribers in order, also from a script, until they leave") {
  World world;
  world.server->execute(3, Args{"SUBSCRIBE", "ch"}, world.now_us);
  CHECK(to_text(world.server->execute(2, Args{"SUBSCRIBE", "ch", "other"}, world.now_us)) ==
        "[[\"subscribe\", \"ch\", (integer) 1], [\"subscribe\", \"other\", (integer) 2]]");
  CHECK(world.text({"EVAL", "redis.call('PUBLISH', 'ch', 'm') return redis.call('PUBLISH', 'none', 'm')", "0"}) ==
        "(integer) 0");
  CHECK(world.witness.take() == std::vector<std::string>{"push 3 ch m", "push 2 ch m"});
  world.server->disconnect(3);
  CHECK(world.text({"PUBLISH", "ch", "n"}) == "(integer) 1");
  world.server->restart(true);
  CHECK(world.text({"PUBLISH", "ch", "n"}) == "(integer) 0");
}

TEST_CASE("eviction and restart") {
  World world;
  world.run({"SET", "a", "1"});
  world.run({"SET", "b", "1"});
  world.run({"SCRIPT", "LOAD", "return 1"});
  world.witness.take();
  CHECK(world.server->evict("a", world.now_us));
  CHECK_FALSE(world.server->evict("a", world.now_us));
  world.server->restart(true);
  CHECK(world.text({"EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "0"}) ==
        "(error) NOSCRIPT No matching script.");
  CHECK(world.text({"EXISTS", "b"}) == "(integer) 1");
  world.server->restart(false);
  CHECK(world.text({"EXISTS", "b"}) == "(integer) 0");
  CHECK(world.witness.take() == std::vector<std::string>{"evicted a 1 -> none", "restart b 1 -> none"});
  const std::string draw = world.text({"EVAL", "return math.random(1000000)", "0"});
  world.server->restart(true);
  CHECK(world.text({"EVAL", "return math.random(1000000)", "0"}) == draw);
}

TEST_CASE("a row put back is what it was, and observers hear of it where it is another") {
  World world;
  const Row old{"1", start_us / 1000 + 50};
  world.run({"SET", "a", "2"});
  world.witness.take();
  world.server->put_back("a", old, world.now_us);
  world.server->put_back("a", old, world.now_us);  // stands so already
  CHECK(world.witness.take() == std::vector<std::string>{"failover a 2 -> 1@50"});
  world.server->put_back("a", Row{"1", start_us / 1000 + 70}, world.now_us);
  world.server->put_back("a", std::nullopt, world.now_us);
  world.server->put_back("a", std::nullopt, world.now_us);
  CHECK(world.witness.take() == std::vector<std::string>{"failover a 1@50 -> 1@70", "failover a 1@70 -> none"});
  world.now_us += 60'000;
  world.server->put_back("a", old, world.now_us);  // past its deadline since
  CHECK(world.text({"EXISTS", "a"}) == "(integer) 0");
  world.run({"RPUSH", "l", "x"});
  const Row list = *world.server->peek("l", world.now_us);
  world.run({"RPUSH", "l", "y"});
  world.server->put_back("l", list, world.now_us);
  CHECK(world.text({"LLEN", "l"}) == "(integer) 1");
}

TEST_CASE("500 scripts that came by EVAL are kept, the least recently used goes, SCRIPT LOAD pins") {
  World world;
  const std::string first = "c831c38f98f52c070ded9e558dcd9a36533b5bcf";
  world.run({"EVAL", "return 'first'", "0"});
  world.run({"SCRIPT", "LOAD", "return 'loaded'"});
  for (int n = 0; n < 499; ++n) world.run({"EVAL", "return " + std::to_string(n), "0"});
  CHECK(world.text({"EVALSHA", first, "0"}) == "\"first\"");
  world.run({"EVAL", "return 499", "0"});
  CHECK(world.text({"SCRIPT", "EXISTS", first, "b534286061d4b9e4026607613b95c06c06015ae8",
                    "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"}) == "[(integer) 1, (integer) 1, (integer) 1]");
  for (int n = 500; n < 998; ++n) world.run({"EVAL", "return " + std::to_string(n), "0"});
  CHECK(world.text({"SCRIPT", "EXISTS", first}) == "[(integer) 1]");
  world.run({"EVAL", "return 1000", "0"});
  CHECK(world.text({"SCRIPT", "EXISTS", first, "b534286061d4b9e4026607613b95c06c06015ae8"}) ==
        "[(integer) 0, (integer) 1]");
}

TEST_CASE("an observer's exception leaves through a script's pcall, the change stays") {
  World world;
  world.witness.throws = true;
  CHECK_THROWS_AS(world.run({"EVAL", "pcall(redis.call, 'SET', 'a', '1') return 1", "0"}), std::runtime_error);
  world.witness.throws = false;
  CHECK(world.text({"GET", "a"}) == "\"1\"");
}

TEST_CASE("a script with flags=no-writes may neither write nor publish") {
  World world;
  const std::string refusal = "ERR Write commands are not allowed from read-only scripts.";
  for (const char* const command : {"'SET', 'a', '1'", "'PUBLISH', 'c', 'm'"}) {
    CHECK(world.text({"EVAL", std::string("#!lua flags=no-writes\nreturn redis.pcall(") + command + ")", "0"}) ==
          "(error) " + refusal);
  }
  CHECK(world.text({"EVAL", "#!lua flags=no-writes\nreturn redis.call('EXISTS', 'a')", "0"}) == "(integer) 0");
}

TEST_CASE("the collation of a server is its own, and must be available") {
  Interpreter interpreter;
  Server::Settings settings;
  settings.collate = "xx_NOWHERE.UTF-8";
  CHECK_THROWS_AS(Server(interpreter, settings), std::invalid_argument);
  if (!cohsim::lua::available("en_US.UTF-8")) return;
  settings.collate = "en_US.UTF-8";
  Server english(interpreter, settings);
  Server bytes(interpreter, {});
  const auto& script = cohsim::lua::bundled_coherence_drop();
  for (Server* const server : {&english, &bytes}) {
    server->execute(1, Args{"SET", "k", "TXN0000000000avalue"}, start_us);
    const Reply reply = server->execute(1, Args{"EVAL", script.text, "1", "k", "TXN0000000000Z"}, start_us);
    CHECK(reply.is_integer(server == &english ? 1 : 0));
  }
}
