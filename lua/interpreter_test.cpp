// Compilation, conversions and the redis library, beside what sim/valkey/cases.txt replays.
#include <string>

#include "lua/number_text.h"
#include "lua/script_runner.h"
#include "testing/catch.h"

using namespace cohsim::lua;

TEST_CASE("numbers become arguments as Valkey 8 writes them") {
  CHECK(argument_text(0.1) == "0.1");
  CHECK(argument_text(1e18) == "1000000000000000000");
  CHECK(argument_text(-1e17) == "-100000000000000000");
  CHECK(argument_text(1e20) == "1e+20");
  CHECK(argument_text(1e-7) == "1e-7");
  CHECK(argument_text(0.001234) == "0.001234");
  CHECK(argument_text(0.0001234) == "1.234e-4");
  CHECK(argument_text(1234.5678) == "1234.5678");
  CHECK(argument_text(-2.5e-300) == "-2.5e-300");
  CHECK(argument_text(1.7976931348623157e308) == "1.7976931348623157e+308");
  CHECK(argument_text(-0.0) == "0");
  CHECK(shortest_text(-0.0) == "-0");
  CHECK(shortest_text(1.0 / 3) == "0.3333333333333333");
}

TEST_CASE("SHA1 names a script") {
  CHECK(sha1_hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  CHECK(sha1_hex("return 42") == "1fa00e76656cc152ad327c13fe365858fd7be306");
}

TEST_CASE("random numbers are the server's: outputs observed on redis-server 7.0.15 right after its start") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  const std::string draws =
      "return {tostring(math.random()), math.random(10), math.random(5, 6), math.random(1000000)}";
  CHECK(runner.run(draws) == "[$0.39646477363839 :9 :5 :446584]");
  CHECK(runner.run(fmt::format("math.randomseed(42) {}", draws)) == "[$0.74452500033403 :4 :5 :422339]");
  CHECK(runner.run("return math.random(0)").find("interval is empty") != std::string::npos);
}

TEST_CASE("addresses are numbered, so that text is the same in every run") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  CHECK(runner.run("local a, b = {}, {} return {tostring(b), tostring(a), tostring(b), tostring(pcall)}") ==
        "[$table: 0x00000000000040 $table: 0x00000000000080 $table: 0x00000000000040 $function: 0x000000000000c0]");
  CHECK(runner.run("return tostring({})") == "$table: 0x00000000000040");
  CHECK(runner.run("return tostring(setmetatable({}, {__tostring = function() return 'me' end}))") == "$me");
}

TEST_CASE("time stands still in a script") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  CHECK(runner.run("local a = os.clock() for i = 1, 1e5 do end return {type(a), a == os.clock()}") == "[$number :1]");
}

TEST_CASE("functions survive until there are too many, then the generation moves on") {
  Interpreter interpreter;
  const std::string sha1 = sha1_hex("return 1");
  const auto first = std::get<Compiled>(interpreter.compile("return 1", sha1));
  CHECK(std::get<Compiled>(interpreter.compile("return 1", sha1)).function.reference == first.function.reference);
  for (std::size_t script = 0; script < Interpreter::functions_max; ++script) {
    const std::string text = fmt::format("return {}", script + 2);
    REQUIRE(std::holds_alternative<Compiled>(interpreter.compile(text, sha1_hex(text))));
  }
  CHECK(interpreter.generation() == first.function.generation + 1);
  ScriptRunner runner(interpreter);
  CHECK(runner.run("return 1") == ":1");
}

TEST_CASE("the redis library's small functions") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  CHECK(runner.run("return redis.error_reply('-X')") == "-ERR X");
  CHECK(runner.run("return redis.error_reply('')") == "-ERR ");
  CHECK(runner.run("return redis.error_reply(1)") == "-ERR wrong number or type of arguments");
  CHECK(runner.run("return redis.status_reply()") == "-ERR wrong number or type of arguments");
  CHECK(runner.run("return {err = 'a\\nb\\n'}") == "-a b");
  CHECK(runner.run("return redis.error_reply('a\\r\\nb')") == "-ERR a  b");
  CHECK(runner.run("return redis.pcall()") == "-ERR Please specify at least one argument for this call");
  CHECK(runner.run("return {0/0, 1e300, -1e300, 2^63}") ==
        "[:-9223372036854775808 :-9223372036854775808 :-9223372036854775808 :-9223372036854775808]");
  CHECK(runner.run("return {double = 1/0}") == ",inf");
  CHECK(runner.run("return _G[{}]").find("Second argument to luaProtectedTableError must be a string or number") !=
        std::string::npos);
  CHECK(runner.run("return server.SERVER_NAME .. redis.REDIS_VERSION") == "$valkey7.2.4");
}

TEST_CASE("flags of a shebang") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  const auto flags = [&](std::string_view text) {
    return std::get<Compiled>(interpreter.compile(text, sha1_hex(text))).flags;
  };
  const std::string all = "#!lua flags=allow-cross-slot-keys,allow-stale flags=no-cluster,allow-oom\nreturn 1";
  CHECK((flags(all).allow_cross_slot_keys && flags(all).allow_stale && flags(all).no_cluster && flags(all).allow_oom));
  CHECK_FALSE(flags(all).no_writes);
  CHECK(flags("#!lua \"flags=no-writes,no-writes\"\nreturn 1").no_writes);
  const std::string bare = "return 1";
  CHECK_FALSE(std::get<Compiled>(interpreter.compile(bare, sha1_hex(bare))).has_shebang);
  CHECK(std::get<Compiled>(interpreter.compile(all, sha1_hex(all))).has_shebang);
  CHECK(runner.run("#!lua flags=\nreturn 1") == ":1");
  CHECK(runner.run("#!lua flags=no-writes,\nreturn 1") == "-ERR Unexpected flag in script shebang: ");
  CHECK(runner.run("#!lua flags=NO-WRITES\nreturn 1") == "-ERR Unexpected flag in script shebang: NO-WRITES");
  CHECK(runner.run("#!lua name=x\nreturn 1") == "-ERR Unknown lua shebang option: name=x");
  CHECK(runner.run("#!LUA\nreturn 1") == "-ERR Unexpected engine in script shebang: #!LUA");
  CHECK(runner.run("#!lua") == "-ERR Invalid script shebang");
  CHECK(runner.run("#!lua 'x\nreturn 1") == "-ERR Invalid engine in script shebang");
}
