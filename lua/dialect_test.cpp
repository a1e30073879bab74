// What differs between the dialects; the rest is compared by the cases of sim/valkey.
#include <string>

#include "lua/script_runner.h"
#include "testing/catch.h"

using namespace cohsim::lua;

TEST_CASE("scripts of redis-server 7.0.15 meet its globals, versions and texts") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  runner.dialect = Dialect::redis7;
  const auto run = [&](const char* script) {
    const std::string reply = runner.run(script);
    return reply.substr(0, reply.find(" script: "));
  };
  CHECK(run("return {redis.REDIS_VERSION, redis.REDIS_VERSION_NUM, tostring(redis.SERVER_NAME)}") ==
        "[$7.0.15 :458767 $nil]");
  CHECK(run("return os") == "-ERR user_script:1: Script attempted to access nonexistent global variable 'os'");
  CHECK(run("return server") == "-ERR user_script:1: Script attempted to access nonexistent global variable 'server'");
  CHECK(run("return setfenv") ==
        "-ERR user_script:1: Script attempted to access nonexistent global variable 'setfenv'");
  CHECK(run("return redis.call('ECHO', 0.1)") == "$0.10000000000000001");
  CHECK(run("return redis.call('ECHO', 1e17)") == "$1e+17");
  CHECK(run("return redis.call('ECHO', 12)") == "$12");
  CHECK(run("return {double = 0.1}") == ",0.10000000000000001");
  CHECK(run("redis.call()") == "-ERR Please specify at least one argument for this redis lib call");
  CHECK(run("redis.call({})") == "-ERR Lua redis lib command arguments must be strings or integers");
  CHECK(run("redis.log(9, 'x')") == "-ERR Invalid debug level.");
  CHECK(run("redis.log(1)") == "-ERR redis.log() requires two arguments or more.");
  CHECK(run("redis.setresp()") == "-ERR redis.setresp() requires one argument.");
  CHECK(run("redis.set_repl()") == "-ERR redis.set_repl() requires two arguments.");
  CHECK(run("redis.acl_check_cmd('x')") == "-ERR Invalid command passed to redis.acl_check_cmd()");
}

TEST_CASE("one interpreter serves both dialects, each with its own scripts") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  for (int turn = 0; turn < 2; ++turn) {
    runner.dialect = Dialect::redis7;
    CHECK(runner.run("return redis.REDIS_VERSION") == "$7.0.15");
    runner.dialect = Dialect::valkey8;
    CHECK(runner.run("return redis.REDIS_VERSION") == "$7.2.4");
  }
}

TEST_CASE("setresp(3) shows the script RESP3's kinds, for that script only") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  CHECK(runner.run("return redis.call('RESP')") == ":2");
  CHECK(runner.run("redis.setresp(3) return redis.call('RESP')") == ":3");
  CHECK(runner.run("redis.setresp(3) redis.setresp(2) return redis.call('RESP')") == ":2");
  CHECK(runner.run("return redis.call('RESP')") == ":2");
  CHECK(runner.run("redis.setresp(3.9) return true") == "#t");
  CHECK(runner.run("redis.setresp(4)").rfind("-ERR RESP version must be 2 or 3.", 0) == 0);
  CHECK(runner.run("return redis.call('KINDS')") ==
        "[:1 :0 $1.5 $12345678901234567890 $words [$key []] [$a :7] nil nil]");
  CHECK(runner.run("redis.setresp(3) local k = redis.call('KINDS') return {k[1], k[2], k[3].double == 1.5, "
                   "k[4].big_number, k[5].verbatim_string.string, k[5].verbatim_string.format, type(k[6].map.key.map), "
                   "k[7].set.a, k[7].set[7], type(k[8]), type(k[9])}") ==
        "[#t #f #t $12345678901234567890 $words $txt $table #t #t $nil $nil]");
  CHECK(runner.run("redis.setresp(3) return redis.call('KINDS')") ==
        "[#t #f ,1.5 (12345678901234567890 =txt:words %[$key %[]] ~[$a :7]]");
}

TEST_CASE("replies of scripts in RESP3's kinds") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  CHECK(runner.run("return {true, false, 1}") == "[:1 nil :1]");
  CHECK(runner.run("redis.setresp(3) return {true, false, 1}") == "[#t #f :1]");
  CHECK(runner.run("return {{double = 0.1}, {double = '1'}, {big_number = '12\\r\\n3'}, {big_number = 12}}") ==
        "[,0.1 [] (12  3 []]");
  CHECK(runner.run("return {{verbatim_string = {string = 'a\\nb', format = 'm'}}, {verbatim_string = {string = 'a', "
                   "format = 'markdown'}}, {verbatim_string = {string = 'a'}}}") == "[=m  :a\nb =mar:a []]");
  CHECK(runner.run("return {{map = {a = {map = {}}}}, {set = {a = false}}}") == "[%[$a %[]] ~[$a]]");
  CHECK(runner.run("return {{double = 1, map = {}}, {big_number = '2', map = {}}, {map = {}, set = {}}}") ==
        "[,1 (2 %[]]");
}

TEST_CASE("a slow script is asked about, and can be killed past every pcall") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  runner.slow_after = 100'000;
  CHECK(runner.run("for i = 1, 80000 do end return 1") == ":1");
  CHECK(runner.asked == 0);
  runner.lives = 1'000;
  CHECK(runner.run("for i = 1, 150000 do end return 1") == ":1");
  CHECK(runner.asked == 6);
  runner.lives = 0;
  for (const char* const script : {"while true do end", "while true do pcall(function() while true do end end) end",
                                   "while true do coroutine.wrap(function() while true do end end)() end"}) {
    INFO(script);
    CHECK(runner.run(script).rfind("-ERR Script killed by user with SCRIPT KILL... script: ", 0) == 0);
    CHECK(runner.end.killed);
    CHECK_FALSE(runner.end.endless);
    CHECK(runner.run("return 7") == ":7");
  }
}
