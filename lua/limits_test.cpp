// Hostile scripts end: within the instruction limit, the memory limit and the C stack, and cannot catch their end.
#include <stdexcept>
#include <string>
#include <vector>

#include "lua/script_runner.h"
#include "testing/catch.h"

using namespace cohsim::lua;

namespace {

bool starts_with(const std::string& text, std::string_view start) { return text.rfind(start, 0) == 0; }

}  // namespace

TEST_CASE("a pattern that could search for ever is not begun") {
  Interpreter interpreter;
  for (const char* const script : {"return string.find(('a'):rep(30), ('a?'):rep(30) .. ('a'):rep(30) .. 'b')",
                                   "return string.match(('a'):rep(9999), 'a*a*a*a*b')",
                                   "return string.gsub(('a'):rep(99999), '.-.-.-b', 'x')"}) {
    INFO(script);
    ScriptRunner runner(interpreter);
    CHECK(runner.run(script).find("10^9 steps is not simulated") != std::string::npos);
    CHECK(starts_with(runner.unsimulated, "patterns whose search could take 10^9 steps at "));
  }
  // Each of these is cheap enough; all of them together are not, and pcall does not help. The next call counts anew.
  ScriptRunner runner(interpreter);
  runner.instruction_limit = 30'000'000;
  CHECK(runner.run("local n = 0 for i = 1, 1e5 do if not pcall(string.find, ('a'):rep(400), 'a*a*b') then n = n + 1 end "
                   "end return n > 99000") == ":1");
  CHECK(starts_with(runner.unsimulated, "patterns whose search could take 10^9 steps at "));
  CHECK(runner.run("return string.find(('a'):rep(9999), '-----b', 1, true)") == "nil");
  CHECK(runner.run("return {string.match('abc:123', '^(%a+):(%d+)$')}") == "[$abc $123]");
}

TEST_CASE("what liblua goes through inside of one instruction counts as work") {
  Interpreter interpreter;
  const std::string list = "local t = {} for i = 1, 100000 do t[i] = i end ";
  for (const std::string& script :
       {list + "while true do table.insert(t, 1, 1) end", list + "while true do table.remove(t, 1) t[#t + 1] = 1 end",
        list + "while true do table.sort(t) end", list + "while true do table.maxn(t) end",
        list + "while true do table.concat(t) end", list + "while true do table.foreach(t, type) end",
        std::string("local t = {} for i = 1, 100000 do t['k' .. i] = 1 end for i = 1, 100000 do t['k' .. i] = nil end "
                    "while true do next(t) end"),
        std::string("local s = ('('):rep(100000) while true do loadstring(s) end"),
        std::string("local s, p = ('a'):rep(1e6), ('a'):rep(4000) .. 'b' while true do string.find(s, p, 1, true) end"),
        std::string("local s = ('a'):rep(1e6) while true do string.gsub(s, 'b', '') end"),
        std::string("local s = ('a'):rep(1e5) while true do redis.call('PING', s) end")}) {
    INFO(script);
    ScriptRunner runner(interpreter);
    runner.instruction_limit = 1'000'000'000;  // reached in seconds; the work is, sooner
    runner.run(script);
    CHECK(starts_with(runner.unsimulated, "a script that works through more than 4 GiB in all"));
  }
}

TEST_CASE("no way of catching errors outlives the instruction limit") {
  Interpreter interpreter;
  for (const char* const script :
       {"while true do end", "while true do pcall(function() while true do end end) end",
        "while true do xpcall(function() while true do end end, function() while true do end end) end",
        "xpcall(function() while true do end end, function() while true do end end) return 1",
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        "while true do pcall(coroutine.wrap(function() while true do end end)) end",
        "while true do coroutine.wrap(function() for i = 1, 9000 do end end)() end",
        "while true do load(function() while true do end end) end",
        "while true do pcall(string.gsub, 'x', 'x', function() while true do end end) end",
        "while true do pcall(table.sort, {1, 2, 3}, function() while true do end end) end",
        "local t = setmetatable({}, {__index = function() while true do end end}) while true do pcall(function() "
        "return t.x end) end",
        "while true do redis.pcall('PING') end", "while true do pcall(redis.call, 'FAIL') end",
        "local function f() return f() end return f()",
        "while true do pcall(error, setmetatable({}, {__index = function() while true do end end})) end",
        "local t = setmetatable({}, {__tostring = function() while true do end end}) while true do pcall(tostring, t) "
        "end"}) {
    INFO(script);
    ScriptRunner runner(interpreter);
    runner.instruction_limit = 300'000;
    CHECK(starts_with(runner.run(script), "-ERR Script stopped by the simulator after "));
    CHECK(runner.end.endless);
    CHECK(runner.end.endless_at == "user_script:1");
    CHECK(runner.run("return 7") == ":7");
    CHECK_FALSE(runner.end.endless);
  }
}

TEST_CASE("the instruction limit counts each call from zero, always alike") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  runner.instruction_limit = 100'000;
  for (int turn = 0; turn < 3; ++turn) {
    CHECK(runner.run("for i = 1, 80000 do end return 1") == ":1");
    CHECK(runner.run("for i = 1, 7 do end return 1") == ":1");
  }
  CHECK(starts_with(runner.run("\nfor i = 1, 1000000 do end return 1"),
                    "-ERR Script stopped by the simulator after 100000 "));
  CHECK(runner.end.endless_at == "user_script:2");
}

TEST_CASE("where a script is stopped does not depend on what ran before") {
  const std::string loop = "local n = 0\nwhile true do\nn = n + 1\nn = n + 1\nn = n + 1\nn = n + 1\nn = n + 1\nend";
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  runner.run(loop);
  const std::string expected = runner.end.endless_at;
  for (int turn = 1; turn < 8; ++turn) {
    runner.run(fmt::format("for i = 1, {} do end", turn));
    runner.run(loop);
    CHECK(runner.end.endless_at == expected);
  }
}

TEST_CASE("memory is bounded, and running out cannot be caught") {
  Interpreter interpreter;
  for (const char* const script :
       {"local s = 'x' while true do s = s .. s end", "local t = {} for i = 1, 1e9 do t[i] = {i} end",
        "while true do pcall(function() local s = 'x' while true do s = s .. s end end) end",
        "pcall(string.rep, 'x', 2^30) return 1", "string.rep('xxxxxxxx', 2^28)",
        "local s = string.rep('x', 2^24) s:gsub('x', s)",
        "table.concat({string.rep('x', 2^25), string.rep('y', 2^26)})",
        "coroutine.resume(coroutine.create(function() local s = 'x' while true do s = s .. s end end)) return 1",
        "local b = string.rep('x', 2^22) for i = 1, 1e6 do local s = b .. i end return 1",
        "local s = string.rep('x', 2^22) for i = 1, 1e6 do s:find('y', 1, true) end return 1"}) {
    INFO(script);
    ScriptRunner runner(interpreter);
    CHECK(starts_with(runner.run(script), "-ERR not enough memory"));
    CHECK(starts_with(runner.unsimulated, "a script that "));
    CHECK(runner.run("return 7") == ":7");
  }
  ScriptRunner runner(interpreter);
  CHECK(runner.run("return #string.rep('', 2^31 - 1) + #string.rep('x', -1)") == ":0");
}

TEST_CASE("the C stack survives recursion of every kind") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  const std::string deep(60'000, '(');
  const std::vector<std::string> scripts = {
      "local function f(n) return 1 + f(n + 1) end return f(1)",
      "local function f() return pcall(f) end return tostring(f())",
      "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end return t.x",
      "local t = {} t[1] = t return t",
      "local t = {} for i = 1, 20000 do t = {t} end return t",
      "local a = {} for i = 1, 40 do a = {a, a} end return a",
      fmt::format("return {}", deep),
      "return loadstring(string.rep('{', 60000))",
      "return string.find(string.rep('a', 300000), string.rep('a?', 300000))",
      "return string.find(string.rep('a', 16000), string.rep('a?', 8000))",
      "local function f() return coroutine.wrap(f)() end return f()",
      "local function f(x) return (x:gsub('.', f)) end return f('x')",
      "local t = setmetatable({}, {__lt = function(a, b) return a < b end}) return t < t",
      "return xpcall(error, function(e) error(e) end)",
      "local t = {} t.__tostring = function() return tostring(setmetatable({}, t)) end return "
      "tostring(setmetatable({}, t))",
      "return unpack({}, 0, 2147483647)",
      "return unpack({}, -2147483648, 2147483647)",
      "return {unpack({}, 1, 1e8)}",
      "local function f(...) return select('#', ...) end return f(unpack({}, 1, 7000))",
      "return string.format('%99.99f', 1e308)",
      "return ('x'):rep(1e5):byte(1, -1)"};
  for (const std::string& script : scripts) {
    INFO(script.substr(0, 100));
    CHECK_FALSE(runner.run(script).empty());
    CHECK(runner.run("return 7") == ":7");
  }
}

TEST_CASE("bytecode is refused in the server's words") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  CHECK(runner.run("\033LuaQ").find("user_script:1: unexpected symbol near 'char(27)'") != std::string::npos);
  CHECK(runner.run(
            "local f = string.dump(function() end) return {loadstring(f) == nil, load(function() local g = f f = nil "
            "return g end) == nil}") == "[:1 :1]");
}

TEST_CASE("an exception of the host leaves through every pcall, and the interpreter goes on") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  for (const char* const script :
       {"redis.call('THROW')", "pcall(redis.call, 'THROW') return 1", "redis.pcall('THROW') return 1",
        "xpcall(function() redis.call('THROW') end, function() while true do end end) return 1",
        "coroutine.wrap(function() pcall(redis.call, 'THROW') end)() return 1",
        "while true do coroutine.resume(coroutine.create(function() redis.call('THROW') end)) end"}) {
    INFO(script);
    CHECK_THROWS_AS(runner.run(script), std::runtime_error);
    CHECK(runner.run("return redis.call('PING')") == "+PONG");
  }
  CHECK_THROWS_AS(runner.run("pcall(redis.call, 'THROW_INT')"), int);
  CHECK(runner.run("return 7") == ":7");
}

TEST_CASE("errors without a text are answered, where real servers crash") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  for (const char* const script : {"error({})", "error({1, 2})", "error({err = {}})", "error(_G)", "error(redis)"}) {
    INFO(script);
    CHECK(starts_with(runner.run(script), "-ERR unknown error script: "));
  }
  CHECK(starts_with(runner.run("error(nil)"), "-ERR nil script: "));
  CHECK(starts_with(runner.run("error('a\\nb\\rc\\n')"), "-ERR user_script:1: a b c  script: "));
}
