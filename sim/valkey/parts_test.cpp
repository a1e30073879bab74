// The small parts: patterns, integers, replies as bytes and as text, options of SET and EXPIRE.
#include <string>
#include <vector>

#include "lua/interpreter.h"
#include "sim/valkey/glob.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server.h"
#include "testing/catch.h"

using namespace cohsim::valkey;

TEST_CASE("patterns match as the server's do") {
  struct Example {
    const char* pattern;
    const char* text;
    bool matches;
  };
  const std::vector<Example> examples = {{"*", "", false},
                                         {"", "", true},
                                         {"", "a", false},
                                         {"a*c", "abbc", true},
                                         {"a*c", "abcb", false},
                                         {"a**c", "ac", true},
                                         {"h?llo", "hello", true},
                                         {"h?llo", "hllo", false},
                                         {"h[ae]llo", "hallo", true},
                                         {"h[ae]llo", "hillo", false},
                                         {"h[^e]llo", "hallo", true},
                                         {"h[^e]llo", "hello", false},
                                         {"h[a-c]llo", "hbllo", true},
                                         {"h[c-a]llo", "hbllo", true},
                                         {"h[a-c]llo", "hdllo", false},
                                         {"h\\*llo", "h*llo", true},
                                         {"h\\*llo", "hallo", false},
                                         {"[a", "a", true},
                                         {"[", "a", false},
                                         {"a\\", "a\\", true},
                                         {"ecc:{users}:*", "ecc:{users}:USR", true},
                                         {"*a*b", "xaxxb", true},
                                         {"[\\]]", "]", true},
                                         {"A", "a", false}};
  for (const Example& example : examples) {
    INFO(example.pattern << " on " << example.text);
    CHECK(glob_matches(example.pattern, example.text) == example.matches);
  }
  std::string stars;
  for (int star = 0; star < 5'000; ++star) stars += "*a";
  CHECK_FALSE(glob_matches(stars + "b", std::string(10'000, 'a')));
}

TEST_CASE("integers have one spelling") {
  CHECK(read_integer("0") == 0);
  CHECK(read_integer("-1") == -1);
  CHECK(read_integer("9223372036854775807") == INT64_MAX);
  CHECK(read_integer("-9223372036854775808") == INT64_MIN);
  for (const char* const text : {"", "-", "-0", "+1", "01", " 1", "1 ", "1.0", "9223372036854775808",
                                 "-9223372036854775809", "99999999999999999999999", "0x1", "1e3"}) {
    INFO(text);
    CHECK_FALSE(read_integer(text).has_value());
  }
}

TEST_CASE("replies as bytes and as text") {
  const Reply reply =
      Reply::of_array({Reply::of_nil(), Reply::of_integer(-1), Reply::of_status("OK"), Reply::of_error("ERR x"),
                       Reply::of_bulk(std::string("a\0\"\n", 4)), Reply::of_array({})});
  CHECK(to_resp2(reply) == std::string("*6\r\n$-1\r\n:-1\r\n+OK\r\n-ERR x\r\n$4\r\na\0\"\n\r\n*0\r\n", 41));
  CHECK(to_text(reply) == "[(nil), (integer) -1, OK, (error) ERR x, \"a\\x00\\\"\\n\", []]");
}

TEST_CASE("options of SET and EXPIRE: replies observed on redis-server 7.0.15") {
  cohsim::lua::Interpreter interpreter;
  Server server(interpreter, {});
  const auto run = [&](std::vector<std::string> args) {
    return to_text(server.execute(1, args, 1'800'000'000'000'000));
  };
  const std::string invalid = "(error) ERR invalid expire time in 'set' command";
  const std::string syntax = "(error) ERR syntax error";
  CHECK(run({"SET", "a", "b", "EX", "0"}) == invalid);
  CHECK(run({"SET", "a", "b", "EX", "-1"}) == invalid);
  CHECK(run({"SET", "a", "b", "EX", "x"}) == "(error) ERR value is not an integer or out of range");
  CHECK(run({"SET", "a", "b", "PX", "9223372036854775807"}) == invalid);
  CHECK(run({"SET", "a", "b", "EX", "9223372036854775807"}) == invalid);
  for (const auto& options : std::vector<std::vector<std::string>>{{"NX", "XX"},
                                                                   {"EX", "1", "PX", "1"},
                                                                   {"EX"},
                                                                   {"KEEPTTL", "EX", "1"},
                                                                   {"EX", "1", "KEEPTTL"},
                                                                   {"KEEPTTL", "PERSIST"},
                                                                   {"FOO"}}) {
    std::vector<std::string> args = {"SET", "a", "b"};
    args.insert(args.end(), options.begin(), options.end());
    CHECK(run(args) == syntax);
  }
  CHECK(run({"SET", "a", "b", "NX", "GET"}) == "(nil)");
  CHECK(run({"SET", "a", "c", "nx", "get"}) == "\"b\"");
  CHECK(run({"GET", "a"}) == "\"b\"");
  CHECK(run({"EXPIRE", "nokey", "9223372036854775807"}) == "(error) ERR invalid expire time in 'expire' command");
  CHECK(run({"PEXPIRE", "a", "9223372036854775807"}) == "(error) ERR invalid expire time in 'pexpire' command");
  CHECK(run({"EXPIREAT", "a", "9223372036854775"}) == "(integer) 1");
  CHECK(run({"EXPIRETIME", "a"}) == "(integer) 9223372036854775");
  CHECK(run({"PEXPIRETIME", "a"}) == "(integer) 9223372036854775000");
  CHECK(run({"EXPIRE", "a", "10", "GT", "LT"}) == "(error) ERR GT and LT options at the same time are not compatible");
  CHECK(run({"PERSIST", "a"}) == "(integer) 1");
  CHECK(run({"PEXPIRE", "a", "1500"}) == "(integer) 1");
  CHECK(run({"TTL", "a"}) == "(integer) 2");
  CHECK(run({"PEXPIRE", "a", "1499"}) == "(integer) 1");
  CHECK(run({"TTL", "a"}) == "(integer) 1");
  CHECK(run({"FLUSHALL", "foo"}) == syntax);
  CHECK(run({"PING", "a", "b"}) == "(error) ERR wrong number of arguments for 'ping' command");
}
