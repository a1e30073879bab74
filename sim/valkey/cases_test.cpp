// Replays replies that were observed on real servers (cases.txt says which) against the fake, byte for byte.
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lua/interpreter.h"
#include "sim/valkey/server.h"
#include "testing/catch.h"

using namespace cohsim::valkey;

namespace {

/// Reads one JSON string of the file: one character stands for one byte.
std::string read_string(const std::string& line, std::size_t& place) {
  REQUIRE(line.at(place) == '"');
  std::string text;
  for (++place; line.at(place) != '"'; ++place) {
    if (line[place] != '\\') {
      text += line[place];
      continue;
    }
    switch (line.at(++place)) {
      case 'n':
        text += '\n';
        break;
      case 'r':
        text += '\r';
        break;
      case 't':
        text += '\t';
        break;
      case 'u':
        text += static_cast<char>(std::stoi(line.substr(place + 1, 4), nullptr, 16));
        place += 4;
        break;
      default:
        text += line[place];
    }
  }
  ++place;
  return text;
}

std::vector<std::string> read_command(const std::string& line) {
  std::vector<std::string> args;
  for (std::size_t place = line.find('['); line.at(place) != ']';) {
    place = line.find_first_of("\"]", place);
    if (line[place] == '"') args.push_back(read_string(line, place));
  }
  return args;
}

/// What each connection would have received and nobody has read yet.
class Connections final : public PushSink {
 public:
  void push(ClientId subscriber, std::string_view channel, std::string_view payload) override {
    add(subscriber, Reply::of_array({Reply::of_bulk("message"), Reply::of_bulk(std::string(channel)),
                                     Reply::of_bulk(std::string(payload))}));
  }
  void add(ClientId client, const Reply& reply) { frames_[client].push_back(to_resp2(reply)); }
  std::string take(ClientId client) {
    std::vector<std::string>& frames = frames_[client];
    if (frames.empty()) return "(none)";
    std::string first = frames.front();
    frames.erase(frames.begin());
    return first;
  }

 private:
  std::map<ClientId, std::vector<std::string>> frames_;
};

class Replay {
 public:
  Replay(cohsim::lua::Interpreter& interpreter, const Personality& personality)
      : server_(interpreter, settings(personality)) {}

  void send(ClientId client, const std::vector<std::string>& args) {
    const Reply reply = server_.execute(client, args, now_us_);
    const bool several = (args[0] == "SUBSCRIBE" && args.size() > 2) || (args[0] == "UNSUBSCRIBE" && args.size() > 2);
    if (!several) return connections_.add(client, reply);
    for (const Reply& item : reply.items) connections_.add(client, item);
  }
  std::string receive(ClientId client) { return connections_.take(client); }
  void sleep_ms(std::int64_t span) { now_us_ += span * 1000; }
  [[nodiscard]] const std::string& not_simulated() const { return server_.not_simulated(); }

 private:
  Server::Settings settings(const Personality& personality) {
    Server::Settings settings;
    settings.personality = &personality;
    settings.pushes = &connections_;
    settings.instruction_limit = 1'000'000'000;
    return settings;
  }

  Connections connections_;
  Server server_;
  std::int64_t now_us_ = 1'800'000'000'000'000;
};

/// The length of the frame that begins at `place`; the bytes must hold all of it.
std::size_t frame_end(const std::string& bytes, std::size_t place) {
  const std::size_t end = bytes.find("\r\n", place) + 2;
  const char kind = bytes.at(place);
  if (std::string_view("$=*~>%").find(kind) == std::string_view::npos) return end;
  const long count = std::stol(bytes.substr(place + 1));
  if (count < 0) return end;
  if (kind == '$' || kind == '=') return end + static_cast<std::size_t>(count) + 2;
  std::size_t next = end;
  for (long item = 0; item < (kind == '%' ? 2 * count : count); ++item) next = frame_end(bytes, next);
  return next;
}

/// The same for clients that send bytes.
class ByteReplay final : public Output {
 public:
  ByteReplay(cohsim::lua::Interpreter& interpreter, const Personality& personality)
      : server_(interpreter, settings(personality)) {}

  void request(ClientId client, const std::vector<std::string>& args) {
    std::string bytes = fmt::format("*{}\r\n", args.size());
    for (const std::string& arg : args) bytes += fmt::format("${}\r\n{}\r\n", arg.size(), arg);
    server_.receive(client, bytes, now_us_);
  }
  /// The next frame, with the id that HELLO tells masked.
  std::string take(ClientId client) {
    std::string& bytes = arrived_[client];
    if (bytes.empty()) return "(none)";
    std::string frame = bytes.substr(0, frame_end(bytes, 0));
    bytes.erase(0, frame.size());
    const std::size_t id = frame.find("$2\r\nid\r\n:");
    if (id != std::string::npos) frame.replace(id + 9, frame.find('\r', id + 9) - id - 9, "@ID@");
    return frame;
  }
  void sleep_ms(std::int64_t span) { server_.advance(now_us_ += span * 1000); }
  [[nodiscard]] const std::string& not_simulated() const { return server_.not_simulated(); }

 private:
  void send(ClientId client, std::string_view bytes) override { arrived_[client] += bytes; }
  void close(ClientId) override {}
  Server::Settings settings(const Personality& personality) {
    Server::Settings settings;
    settings.output = this;
    settings.personality = &personality;
    return settings;
  }

  std::map<ClientId, std::string> arrived_;
  Server server_;
  std::int64_t now_us_ = 1'800'000'000'000'000;
};

std::string expected_frame(const std::string& line) {
  std::size_t place = line.find('"');
  return place == std::string::npos ? "(none)" : read_string(line, place);
}

/// Replays a file of cases of connections; a line `vk8<` stands for the one before it where the server is Valkey.
int replay_connections(const std::string& cases, const Personality& personality) {
  std::ifstream file(fmt::format("{}/sim/valkey/{}", COHSIM_SOURCE_DIR, cases));
  REQUIRE(file);
  cohsim::lua::Interpreter interpreter;
  std::unique_ptr<ByteReplay> replay;
  std::string name;
  std::string sent;
  int replies = 0;
  const bool valkey = &personality == &valkey_8();
  for (std::string line, next; !line.empty() || std::getline(file, line); line = std::exchange(next, {})) {
    if (line.rfind("## case ", 0) == 0) {
      replay = std::make_unique<ByteReplay>(interpreter, personality);
      name = line.substr(8);
    } else if (line.rfind("@sleep ", 0) == 0) {
      replay->sleep_ms(std::stoll(line.substr(7)));
    } else if (line.size() > 4 && line[0] == 'c' && line[2] == '>') {
      sent = line;
      replay->request(static_cast<ClientId>(line[1] - '0'), read_command(line));
      INFO(name << "\n" << sent);
      CHECK(replay->not_simulated().empty());
    } else if (line.size() > 4 && line[0] == 'c' && line[2] == '<') {
      std::string expected = expected_frame(line);
      while (std::getline(file, next) && next.empty()) continue;
      if (next.rfind("   vk8<", 0) == 0) {
        if (valkey) expected = expected_frame(next);
        next.clear();
      }
      INFO(personality.name << ": " << name << "\n" << sent);
      CHECK(replay->take(static_cast<ClientId>(line[1] - '0')) == expected);
      ++replies;
    }
  }
  return replies;
}

}  // namespace

TEST_CASE("connections get the frames that were observed, in their order, under both personalities") {
  for (const Personality& personality : personalities()) {
    CHECK(replay_connections("connection_cases.txt", personality) > 500);
    CHECK(replay_connections("script_cases.txt", personality) > 200);
    CHECK(replay_connections("value_cases.txt", personality) > 200);
    CHECK(replay_connections("stream_cases.txt", personality) > 200);
  }
}

TEST_CASE("every observed reply comes out of the fake byte for byte") {
  const std::string cases = GENERATE(as<std::string>{}, "cases.txt", "collection_cases.txt", "data_cases.txt");
  const Personality& personality = cases == "data_cases.txt" ? redis_7_0() : valkey_8();
  std::ifstream file(fmt::format("{}/sim/valkey/{}", COHSIM_SOURCE_DIR, cases));
  REQUIRE(file);
  cohsim::lua::Interpreter interpreter;
  std::unique_ptr<Replay> replay;
  std::string name;
  std::string sent;
  int replies = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("## case ", 0) == 0) {
      if (replay) CHECK(replay->not_simulated().empty());
      replay = std::make_unique<Replay>(interpreter, personality);
      name = line.substr(8);
    } else if (line.rfind("@sleep ", 0) == 0) {
      replay->sleep_ms(std::stoll(line.substr(7)));
    } else if (line.size() > 4 && line[0] == 'c' && line[2] == '>') {
      sent = line;
      replay->send(static_cast<ClientId>(line[1] - '0'), read_command(line));
    } else if (line.size() > 4 && line[0] == 'c' && line[2] == '<') {
      std::size_t place = line.find('"');
      const std::string expected = place == std::string::npos ? "(none)" : read_string(line, place);
      INFO(name << "\n" << sent);
      CHECK(replay->receive(static_cast<ClientId>(line[1] - '0')) == expected);
      ++replies;
    }
  }
  CHECK(replies > 150);
}
