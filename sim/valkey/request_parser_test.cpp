// Requests as connections send them: whole, in pieces, broken, and with work that does not grow faster than they do.
#include "sim/valkey/request_parser.h"

#include <string>
#include <vector>

#include "testing/catch.h"

using namespace cohsim::valkey;
using namespace std::string_literals;

namespace {

using State = ParsedRequest::State;

/// Reads all that it can, and writes down what came out.
void read_all(RequestReader& reader, const RequestLimits& limits, std::vector<std::string>& seen) {
  for (ParsedRequest request = reader.next(limits); request.state != State::incomplete; request = reader.next(limits)) {
    std::string text = request.state == State::empty ? "empty" : request.error;
    for (const std::string& arg : request.args) text += "[" + arg + "]";
    seen.push_back(text);
  }
}

std::vector<std::string> requests_of(std::string_view bytes, const RequestLimits& limits = {}) {
  RequestReader reader;
  std::vector<std::string> seen;
  reader.append(bytes);
  read_all(reader, limits, seen);
  return seen;
}

std::vector<std::string> by_single_bytes(std::string_view bytes, const RequestLimits& limits = {}) {
  RequestReader reader;
  std::vector<std::string> seen;
  for (const char byte : bytes) {
    reader.append({&byte, 1});
    read_all(reader, limits, seen);
    if (!seen.empty() && seen.back().starts_with("ERR")) break;
  }
  return seen;
}

}  // namespace

TEST_CASE("requests come out alike, whole or byte by byte") {
  const RequestLimits small{3, 8, 16};
  struct Example {
    std::string bytes;
    std::vector<std::string> requests;
  };
  const std::vector<Example> examples = {
      {"PING\r\nGET 'a b'\n", {"[PING]", "[GET][a b]"}},
      {"\r\n*0\r\n*-1\r\n*1\r\n$4\r\nPING\r\n", {"empty", "empty", "empty", "[PING]"}},
      {"*2\r\n$3\r\nGET\r\n$0\r\n\r\nPI", {"[GET][]"}},
      {"*2\r\n$3\r\nGET\r\n$4\r\n\r\n\r\nab*1\r\n$1\r\nx\r\n", {"[GET][\r\n\r\n]", "[x]"}},
      {"GET \"a\r\n", {"ERR Protocol error: unbalanced quotes in request"}},
      {"*4\r\n", {"ERR Protocol error: invalid multibulk length"}},
      {"*x\r\n", {"ERR Protocol error: invalid multibulk length"}},
      {"*1\r\n:3\r\n", {"ERR Protocol error: expected '$', got ':'"}},
      {"*1\r\n$9\r\n", {"ERR Protocol error: invalid bulk length"}},
      {"PI\0NG\r\nGET\r\n"s, {}},
      {"PI\0NG\r\nGET abcdef\r\n"s, {"ERR Protocol error: too big inline request"}},
      {"*1\r\n$-1\r\n", {"ERR Protocol error: invalid bulk length"}},
      {"PING 890123456789\n", {"ERR Protocol error: too big inline request"}},
      {"*0000000000000000000\r\n", {"ERR Protocol error: too big mbulk count string"}},
      {"*1\r\n$0000000000000000000\r\n", {"ERR Protocol error: too big bulk count string"}},
  };
  for (const Example& example : examples) {
    INFO(example.bytes);
    CHECK(requests_of(example.bytes, small) == example.requests);
    CHECK(by_single_bytes(example.bytes, small) == example.requests);
  }
}

TEST_CASE("who has not authenticated may send little, and nobody an argument list without end") {
  RequestLimits limits;
  limits.authenticated = false;
  CHECK(requests_of("*11\r\n", limits) == std::vector<std::string>{"ERR Protocol error: unauthenticated multibulk length"});
  CHECK(requests_of("*10\r\n$16384\r\n", limits).empty());
  CHECK(requests_of("*1\r\n$16385\r\n", limits) == std::vector<std::string>{"ERR Protocol error: unauthenticated bulk length"});
  CHECK(requests_of("*2147483647\r\n").empty());
  CHECK(requests_of("*2147483648\r\n") == std::vector<std::string>{"ERR Protocol error: invalid multibulk length"});
  limits.argument_bytes = 100;
  CHECK(requests_of("*9\r\n$1\r\na\r\n$1\r\na\r\n$1\r\na\r\n$1\r\na\r\n", limits) ==
        std::vector<std::string>{"ERR Protocol error: too many bytes of arguments"});
}

TEST_CASE("the work of a request grows as its bytes do, however small the pieces") {
  constexpr std::size_t arguments = 100'000;
  std::string bytes = "*100000\r\n";
  for (std::size_t argument = 0; argument < arguments; ++argument) bytes += "$1\r\na\r\n";
  RequestReader reader;
  for (std::size_t place = 0; place + 1 < bytes.size(); ++place) {
    reader.append(std::string_view(bytes).substr(place, 1));
    REQUIRE(reader.next({}).state == State::incomplete);
  }
  reader.append(std::string_view(bytes).substr(bytes.size() - 1));
  CHECK(reader.next({}).args == std::vector<std::string>(arguments, "a"));
  CHECK(reader.steps() < 3 * bytes.size());
}

TEST_CASE("the work of an endless line and of a pipeline grows as their bytes do") {
  RequestReader line;
  for (int byte = 0; byte < 60'000; ++byte) {
    line.append("x");
    REQUIRE(line.next({}).state == State::incomplete);
  }
  CHECK(line.steps() <= 60'000);

  RequestReader pipeline;
  std::string bytes;
  for (int request = 0; request < 20'000; ++request) bytes += "*1\r\n$4\r\nPING\r\n";
  pipeline.append(bytes);
  std::vector<std::string> seen;
  read_all(pipeline, {}, seen);
  CHECK(seen.size() == 20'000);
  CHECK(pipeline.steps() < 3 * bytes.size());
}
