// The server through real sockets: what clients send in pieces, in floods and in bad faith.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

#include "lua/interpreter.h"
#include "serve/socket_server.h"
#include "testing/catch.h"

using namespace cohsim;
using namespace cohsim::serve;

namespace {

class World {
 public:
  explicit World(std::string path = "", std::size_t unread_max = 1U << 20U) : server_(interpreter_, settings(path, unread_max)) {}

  Descriptor connect() {
    Descriptor client(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server_.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(client.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    never_block(client.number());
    run();
    return client;
  }
  void run() {
    for (int turn = 0; turn < 3; ++turn) server_.serve_once(5);
  }
  void put(const Descriptor& client, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(client.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
      server_.serve_once(0);
    }
  }
  /// What arrives until `bytes` are there, or the connection ends, or nothing more comes. Patient: megabytes may wait in
  /// the kernel, of which each turn takes 64 KiB.
  std::string get(const Descriptor& client, std::size_t bytes) {
    std::string all;
    for (int idle = 0; all.size() < bytes && idle < 500;) {
      server_.serve_once(1);
      char piece[4096];
      const ssize_t got = ::recv(client.number(), piece, sizeof piece, 0);
      if (got == 0) return all + "(closed)";
      idle = got > 0 ? 0 : idle + 1;
      if (got > 0) all.append(piece, static_cast<std::size_t>(got));
    }
    return all;
  }
  std::string ask(const Descriptor& client, std::string_view request) {
    put(client, request);
    return get(client, 1);
  }
  SocketServer& server() { return server_; }
  std::int64_t now_us = 1'800'000'000'000'000;

 private:
  SocketServer::Settings settings(const std::string& path, std::size_t unread_max) {
    SocketServer::Settings settings;
    settings.path = path;
    settings.unread_max = unread_max;
    settings.now_us = [this] { return now_us; };
    return settings;
  }
  lua::Interpreter interpreter_;
  SocketServer server_;
};

}  // namespace

TEST_CASE("requests arrive in pieces, several at once, or as lines") {
  World world;
  const Descriptor client = world.connect();
  for (const char letter : std::string("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n")) world.put(client, std::string(1, letter));
  CHECK(world.get(client, 5) == "+OK\r\n");
  CHECK(world.ask(client, "GET k\r\n") == "$1\r\nv\r\n");
  std::string many, answers;
  for (int i = 0; i < 2000; ++i) {
    many += "*1\r\n$4\r\nPING\r\n";
    answers += "+PONG\r\n";
  }
  world.put(client, many);
  CHECK(world.get(client, answers.size()) == answers);
}

TEST_CASE("many clients, each with its own replies, who leaves is forgotten") {
  World world;
  std::vector<Descriptor> clients;
  for (int i = 0; i < 50; ++i) clients.push_back(world.connect());
  CHECK(world.server().clients() == 50);
  for (int i = 0; i < 50; ++i) world.put(clients[i], "SET k" + std::to_string(i) + " v\r\n");
  for (const Descriptor& client : clients) CHECK(world.get(client, 5) == "+OK\r\n");
  clients.resize(10);
  world.run();
  CHECK(world.server().clients() == 10);
}

TEST_CASE("hostile input ends its connection, and only that") {
  World world;
  const Descriptor bystander = world.connect();
  const auto hostile = [&](std::string_view bytes) {
    const Descriptor client = world.connect();
    world.put(client, bytes);
    return world.get(client, 1000);
  };
  CHECK(hostile("*2147483648\r\n") == "-ERR Protocol error: invalid multibulk length\r\n(closed)");
  CHECK(hostile("*1\r\n$-5\r\n") == "-ERR Protocol error: invalid bulk length\r\n(closed)");
  CHECK(hostile("*1\r\n$600000000\r\n") == "-ERR Protocol error: invalid bulk length\r\n(closed)");
  CHECK(hostile("*1\r\nPING\r\n") == "-ERR Protocol error: expected '$', got 'P'\r\n(closed)");
  CHECK(hostile("GET \"k\r\n") == "-ERR Protocol error: unbalanced quotes in request\r\n(closed)");
  CHECK(hostile("POST / HTTP/1.1\r\n\r\n") == "(closed)");
  CHECK(hostile("host: localhost\r\n") == "(closed)");
  CHECK(world.ask(bystander, "PING\r\n") == "+PONG\r\n");
}

TEST_CASE("a large argument in many pieces costs no more than its bytes") {
  World world;
  const Descriptor client = world.connect();
  const std::string value(20'000'000, 'x');
  world.put(client, "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$20000000\r\n" + value + "\r\n");
  CHECK(world.get(client, 5) == "+OK\r\n");
  CHECK(world.ask(client, "STRLEN k\r\n").size() > 1);
}

TEST_CASE("a client that does not read is closed") {
  World world("", 50'000);
  const Descriptor client = world.connect();
  world.put(client, "SET k " + std::string(60'000, 'x') + "\r\n");
  CHECK(world.get(client, 5) == "+OK\r\n");
  CHECK(world.ask(client, "GET k\r\n").starts_with("$60000\r\nxxx"));  // one reply may be as large as it is
  world.get(client, 1'000'000);
  world.put(client, "GET k\r\nGET k\r\n");
  CHECK(world.get(client, 1'000'000) == "(closed)");
  CHECK(world.server().clients() == 0);
}

TEST_CASE("a Unix socket beside the port, the file goes with the server, and no other file is replaced") {
  const std::string path = (std::filesystem::temp_directory_path() / ("cohsim-" + std::to_string(::getpid()))).string();
  {
    World world(path);
    Descriptor client(::socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, path.size());
    REQUIRE(::connect(client.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    never_block(client.number());
    CHECK(world.ask(client, "PING\r\n") == "+PONG\r\n");
    CHECK_THROWS_WITH(listen_on_path(path), Catch::Contains("another server listens there"));
  }
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK_THROWS_AS(listen_on_path(std::filesystem::temp_directory_path().string()), SocketError);
}

TEST_CASE("a key lives as long as the caller's clock says") {
  World world;
  const Descriptor client = world.connect();
  CHECK(world.ask(client, "SET k v PX 100\r\n") == "+OK\r\n");
  world.now_us += 101'000;
  CHECK(world.ask(client, "GET k\r\n") == "$-1\r\n");
}

TEST_CASE("rows expire without being looked at, and who listens hears of it") {
  World world;
  const Descriptor client = world.connect();
  const Descriptor listener = world.connect();
  CHECK(world.ask(client, "CONFIG SET notify-keyspace-events Ex\r\n") == "+OK\r\n");
  CHECK(world.ask(listener, "SUBSCRIBE __keyevent@0__:expired\r\n").starts_with("*3"));
  CHECK(world.ask(client, "SET k v PX 50\r\n") == "+OK\r\n");
  world.now_us += 101'000;
  CHECK(world.get(listener, 1) == "*3\r\n$7\r\nmessage\r\n$22\r\n__keyevent@0__:expired\r\n$1\r\nk\r\n");
  CHECK(world.ask(client, "DBSIZE\r\n") == ":0\r\n");
}
