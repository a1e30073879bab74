// What cases.txt cannot say of hashes, keys and databases: long values, scans while keys come and go, chance, rehearsals.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "lua/interpreter.h"
#include "sim/valkey/server.h"
#include "testing/catch.h"

using namespace cohsim::valkey;

namespace {

constexpr std::int64_t now_us = 1'800'000'000'000'000;

class World {
 public:
  explicit World(const Personality& personality = valkey_8()) {
    Server::Settings settings;
    settings.personality = &personality;
    server = std::make_unique<Server>(interpreter_, settings);
  }
  Reply run(const std::vector<std::string>& args) { return server->execute(1, args, now_us); }
  std::string text(const std::vector<std::string>& args) { return to_text(run(args)); }
  std::string encoding(const std::string& key) { return run({"OBJECT", "ENCODING", key}).text; }

 private:
  cohsim::lua::Interpreter interpreter_;

 public:
  std::unique_ptr<Server> server;
};

std::vector<std::string> hset(const std::string& key, int fields, bool same = false) {
  std::vector<std::string> args = {"HSET", key};
  for (int field = 0; field < fields; ++field) {
    args.push_back(same ? "f" : fmt::format("f{}", field));
    args.push_back("v");
  }
  return args;
}

/// Every name that a whole scan shows; `between` runs behind each call.
template <class Between>
std::set<std::string> scan_all(World& world, std::vector<std::string> command, std::size_t cursor, Between between) {
  std::set<std::string> seen;
  command[cursor] = "0";
  do {
    const Reply reply = world.run(command);
    for (const Reply& item : reply.items.at(1).items) seen.insert(item.text);
    command[cursor] = reply.items.at(0).text;
    between();
  } while (command[cursor] != "0");
  return seen;
}

}  // namespace

TEST_CASE("a hash becomes a table by its size and never goes back") {
  World world;
  world.run(hset("h", 512));
  CHECK(world.encoding("h") == "listpack");
  world.run({"HSET", "h", "one more", "v"});
  CHECK(world.encoding("h") == "hashtable");
  world.run({"HDEL", "h", "one more"});
  CHECK(world.encoding("h") == "hashtable");
  CHECK(world.text({"COPY", "h", "copy"}) == "(integer) 1");
  CHECK(world.encoding("copy") == "hashtable");
  world.run({"HSET", "copy", "f0", "changed"});
  CHECK(world.text({"HGET", "h", "f0"}) == "\"v\"");
  world.run({"HSETNX", "long", std::string(64, 'f'), std::string(64, 'v')});
  CHECK(world.encoding("long") == "listpack");
  world.run({"HINCRBY", "long", std::string(65, 'f'), "1"});
  CHECK(world.encoding("long") == "hashtable");
}

TEST_CASE("lists keep their small form as far as the configuration says, by items or by bytes") {
  World world;
  world.run({"CONFIG", "SET", "list-max-listpack-size", "4"});
  world.run({"RPUSH", "l", "1", "2", "3", "4"});
  CHECK(world.encoding("l") == "listpack");
  world.run({"RPUSH", "l", "5"});
  CHECK(world.encoding("l") == "quicklist");
  world.run({"LPOP", "l", "2"});
  CHECK(world.encoding("l") == "quicklist");
  world.run({"LREM", "l", "1", "5"});
  CHECK(world.encoding("l") == "listpack");
  world.run({"CONFIG", "SET", "list-max-listpack-size", "-1"});
  world.run({"RPUSH", "bytes", std::string(4089, 'x')});
  CHECK(world.encoding("bytes") == "listpack");
  world.run({"RPUSH", "more", std::string(4090, 'x')});
  CHECK(world.encoding("more") == "quicklist");
  world.run({"LSET", "more", "0", "short"});
  CHECK(world.encoding("more") == "listpack");
}

TEST_CASE("sets of strings keep their small form as far as the configuration says") {
  World world;
  world.run({"CONFIG", "SET", "set-max-listpack-entries", "2", "set-max-listpack-value", "3"});
  world.run({"SADD", "s", "abc", "b"});
  CHECK(world.encoding("s") == "listpack");
  world.run({"SADD", "s", "c"});
  CHECK(world.encoding("s") == "hashtable");
  world.run({"SADD", "long", "abcd"});
  CHECK(world.encoding("long") == "hashtable");
}

TEST_CASE("every member that stays is seen by SSCAN and ZSCAN, in parts") {
  World world;
  std::vector<std::string> sadd = {"SADD", "s"};
  std::vector<std::string> zadd = {"ZADD", "z"};
  for (int member = 0; member < 600; ++member) {
    sadd.push_back(fmt::format("m{}", member));
    zadd.emplace_back("1");
    zadd.push_back(sadd.back());
  }
  world.run(sadd);
  world.run(zadd);
  int calls = 0;
  CHECK(scan_all(world, {"SSCAN", "s", "", "COUNT", "20"}, 2, [&] { ++calls; }).size() == 600);
  CHECK(scan_all(world, {"ZSCAN", "z", "", "COUNT", "20"}, 2, [&] { ++calls; }).size() == 601);
  CHECK(calls == 60);
}

TEST_CASE("more choices than a reply should hold are not simulated, and long texts have no common part") {
  World world;
  world.run({"SADD", "s", "m"});
  CHECK(world.run({"SRANDMEMBER", "s", "-1000001"}).is_error());
  CHECK(world.server->not_simulated() == "a random choice of more than a million");
  world.run({"SET", "long", std::string(12000, 'x')});
  CHECK(world.text({"LCS", "long", "long"}) ==
        "(error) ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
}

TEST_CASE("COMMAND tells where keys stand") {
  World world;
  const Reply info = world.run({"COMMAND", "INFO", "mset", "nosuch", "zunionstore", "xread", "config|get"});
  REQUIRE(info.items.size() == 5);
  const auto places = [&](std::size_t at) {
    const std::vector<Reply>& items = info.items[at].items;
    return fmt::format("{} {} {} {} {}", items.at(0).text, items.at(1).integer, items.at(3).integer,
                       items.at(4).integer, items.at(5).integer);
  };
  CHECK(places(0) == "mset -3 1 -1 2");
  CHECK(info.items[1] == Reply::of_nil());
  CHECK(places(2) == "zunionstore -4 1 1 1");
  CHECK(places(3) == "xread -4 0 0 0");
  CHECK(places(4) == "config|get -3 0 0 0");
  CHECK(to_text(info.items[3].items.at(2)).find("movablekeys") != std::string::npos);
  CHECK(to_text(info.items[3].items.at(8)).find("STREAMS") != std::string::npos);
  CHECK(to_text(info.items[2].items.at(8)).find("keynum") != std::string::npos);
  CHECK(world.run({"COMMAND"}).items.size() == static_cast<std::size_t>(world.run({"COMMAND", "COUNT"}).integer));
  CHECK(world.run({"COMMAND", "DOCS", "get", "nosuch"}).items.at(0).text == "get");
  CHECK(world.run({"COMMAND", "DOCS", "config"}).items.at(1).items.at(2).text == "subcommands");
}

TEST_CASE("used memory follows every change, and rehearsals give it back") {
  World world;
  const auto used = [&] { return world.run({"INFO", "memory"}).text; };
  const std::string empty = used();
  world.run({"SET", "a", "text"});
  world.run({"SET", "a", "a longer text"});
  world.run({"SADD", "s", "1", "2", "3"});
  world.run({"COPY", "s", "t"});
  world.run({"RENAME", "t", "u"});
  const std::string full = used();
  CHECK(full != empty);
  const auto rehearse = [&](const std::vector<std::string>& args) {
    world.server->rehearse(args, now_us);
    CHECK(used() == full);
  };
  rehearse({"SET", "a", "b"});
  rehearse({"SREM", "s", "1", "2", "3"});
  rehearse({"SWAPDB", "0", "1"});
  rehearse({"FLUSHALL"});
  rehearse({"RPUSH", "l", "x"});
  world.run({"SPOP", "s", "3"});
  world.run({"DEL", "a"});
  world.run({"SWAPDB", "0", "1"});
  CHECK(used() != empty);
  world.run({"FLUSHALL"});
  CHECK(used() == empty);
}

TEST_CASE("newer servers size a hash by the arguments") {
  World newer;
  newer.run(hset("h", 513, true));
  CHECK(newer.encoding("h") == "hashtable");
  World older(redis_7_0());
  older.run(hset("h", 513, true));
  CHECK(older.encoding("h") == "listpack");
}

TEST_CASE("cursors and HSCAN's options by personality") {
  World newer;
  newer.run({"HSET", "h", "a", "1", "b", "2"});
  CHECK(newer.text({"HSCAN", "h", "0", "NOVALUES", "COUNT", "5"}) == "[\"0\", [\"a\", \"b\"]]");
  CHECK(newer.text({"SCAN", "0", "NOVALUES"}) == "(error) ERR NOVALUES option can only be used in HSCAN");
  CHECK(newer.text({"SCAN", "-1"}) == "(error) ERR invalid cursor");
  CHECK(newer.text({"SCAN", ""}) == "(error) ERR invalid cursor");
  World older(redis_7_0());
  CHECK(older.text({"SCAN", "-1"}) == "[\"0\", []]");
  CHECK(older.text({"SCAN", ""}) == "[\"0\", []]");
}

TEST_CASE("a scan shows whatever is there all the time, also while others come and go") {
  World world;
  std::set<std::string> stay;
  for (int key = 0; key < 300; ++key) {
    world.run({"SET", "stay" + std::to_string(key), "v"});
    world.run({"SET", "go" + std::to_string(key), "v"});
    stay.insert("stay" + std::to_string(key));
  }
  int calls = 0;
  const auto change = [&] {
    world.run({"DEL", "go" + std::to_string(calls * 5), "go" + std::to_string(calls * 5 + 1)});
    world.run({"SET", "come" + std::to_string(calls++), "v"});
  };
  const std::set<std::string> seen = scan_all(world, {"SCAN", "", "COUNT", "7"}, 1, change);
  CHECK(calls > 60);
  CHECK(std::includes(seen.begin(), seen.end(), stay.begin(), stay.end()));
  CHECK(scan_all(world, {"SCAN", "", "COUNT", "50", "MATCH", "stay*"}, 1, [] {}) == stay);
  world.run(hset("h", 600));
  CHECK(scan_all(world, {"HSCAN", "h", ""}, 2, [] {}).size() == 601);
  CHECK(scan_all(world, {"SCAN", "", "TYPE", "hash"}, 1, [] {}) == std::set<std::string>{"h"});
}

TEST_CASE("chance is the server's own: the same from every start, and taken back with a rehearsal") {
  const auto picks = [](World& world) {
    std::string picked;
    for (int time = 0; time < 20; ++time) picked += world.text({"RANDOMKEY"});
    return picked + world.text({"HRANDFIELD", "h", "-20"}) + world.text({"HRANDFIELD", "h", "5", "WITHVALUES"});
  };
  World one;
  World other;
  for (World* const world : {&one, &other}) {
    world->run(hset("h", 40));
    for (int key = 0; key < 40; ++key) world->run({"SET", std::to_string(key), "v"});
  }
  const std::string first = picks(one);
  CHECK(first == picks(other));
  CHECK(first != picks(one));
  other.server->restart(true);
  other.server->rehearse(std::vector<std::string>{"RANDOMKEY"}, now_us);
  CHECK(first == picks(other));
}

TEST_CASE("databases exchanged in a rehearsal are back behind it") {
  World world;
  world.run({"SET", "k", "zero"});
  world.run({"MOVE", "k", "2"});
  world.run({"SET", "k", "new"});
  bool changed = false;
  CHECK(world.server->rehearse(std::vector<std::string>{"SWAPDB", "0", "2"}, now_us, &changed).text == "OK");
  CHECK(changed);
  CHECK(world.text({"GET", "k"}) == "\"new\"");
  world.run({"SWAPDB", "0", "2"});
  CHECK(world.text({"GET", "k"}) == "\"zero\"");
}
