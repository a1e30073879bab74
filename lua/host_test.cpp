#include "lua/host.h"

#include <string>

#include "testing/catch.h"

using namespace cohsim::lua;

namespace {

Value run(const std::string& text) {
  Host host;
  return host.load(text, "file.lua");
}

std::string text_of(const std::string& text) {
  const Value value = run(text);
  return value.string() == nullptr ? value.text() : *value.string();
}

struct Failure {
  FileError::Reason reason;
  int line;
  std::string text;
};

Failure failure_of(const std::string& text) {
  try {
    run(text);
  } catch (const FileError& error) {
    return {error.reason, error.line, error.what()};
  }
  return {FileError::Reason::raised, -1, "no failure"};
}

}  // namespace

TEST_CASE("the sandbox has no door to the machine") {
  for (const char* name : {"io",        "os",           "require",      "load",   "loadstring", "loadfile", "dofile",
                           "getfenv",   "setfenv",      "newproxy",     "print",  "package",    "module",   "debug",
                           "coroutine", "setmetatable", "getmetatable", "gcinfo", "_G",         "rawset"}) {
    CHECK(text_of("return type(" + std::string(name) + ")") == "nil");
  }
  CHECK(text_of("return type(string.dump)") == "nil");
  CHECK(text_of("return type(math.random) .. type(math.randomseed)") == "nilnil");
  CHECK(text_of("return type(string.rep)") == "function");
}

TEST_CASE("pairs and next go in one order, and refuse keys that have none") {
  const std::string table = "local t = { b = 1, a = 2, [10] = 3, [2] = 4, [1] = 5, [true] = 6, [-1] = 7 } ";
  const std::string join = "o = o .. tostring(k) .. '=' .. v .. ' ' ";
  CHECK(text_of(table + "local o = '' for k, v in pairs(t) do " + join + "end return o") ==
        "-1=7 1=5 2=4 10=3 a=2 b=1 true=6 ");
  CHECK(text_of(table + "local o, k, v = '' k, v = next(t) while k ~= nil do " + join +
                "k, v = next(t, k) end return o") == "-1=7 1=5 2=4 10=3 a=2 b=1 true=6 ");
  CHECK(text_of(
            "local t = { a = 1, b = 2, c = 3 } local o = '' for k in pairs(t) do t.b = nil o = o .. k end return o") ==
        "ac");
  CHECK(failure_of("for k in pairs({ [{}] = 1 }) do end").text ==
        "a table whose keys are tables or functions has no order to go through");
  CHECK(failure_of("next({ [print or type] = 1 })").line == 1);
}

TEST_CASE("no address leaks: tables and functions have numbers") {
  CHECK(text_of("local a, b = {}, {} return tostring(b) .. ' ' .. tostring(a) .. ' ' .. tostring(b)") ==
        "table: 1 table: 2 table: 1");
  CHECK(text_of("return tostring(type)") == "function: 1");
  CHECK(text_of("return tostring(nil) .. tostring(true) .. tostring(1.5) .. tostring('x')") == "niltrue1.5x");
  CHECK(text_of("return select(2, pcall(string.format, '%s', {}))") ==
        "bad argument #2 to '?' (string expected, got table)");
  CHECK(text_of("return select(2, pcall(string.format, '%p', {}))") == "invalid option '%p' to 'format'");
  CHECK(text_of("return collectgarbage('count')") == "0");
}

TEST_CASE("what runs for ever is stopped, and pcall cannot hide it") {
  for (const char* text : {"while true do end", "pcall(function() while true do end end) return 1",
                           "while true do pcall(function() while true do end end) end",
                           "xpcall(function() while true do end end, function() while true do end end)",
                           "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.insert(t, 1, 0) end",
                           "local s = ('x'):rep(1e6) while true do s:upper() end"}) {
    CAPTURE(text);
    const Failure failure = failure_of(text);
    CHECK(failure.reason == FileError::Reason::instructions);
    CHECK(failure.line == 1);
  }
  CHECK(failure_of("\n\nlocal x\nwhile true do\n x = 1 end").line >= 4);
}

TEST_CASE("patterns whose matching could take for ever are refused") {
  CHECK(failure_of("return (('a'):rep(1000)):find('.-.-.-.-.-.-b')").text == "this pattern could take too long here");
  CHECK(failure_of("return (('a'):rep(1000)):match(('a?'):rep(1000))").text == "a pattern of more than 250 bytes");
  CHECK(text_of("return (('k = v'):match('^(%w+)%s*=%s*(%w+)$'))") == "k");
  CHECK(text_of("return (('a,b,c'):gsub(',', ';'))") == "a;b;c");
}

TEST_CASE("memory is bounded, and pcall cannot hide it") {
  for (const char* text : {"local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end",
                           "local s = 'x' while true do s = s .. s end",
                           "pcall(function() local s = 'x' while true do s = s .. s end end) return 1"}) {
    CAPTURE(text);
    CHECK(failure_of(text).reason == FileError::Reason::memory);
  }
  CHECK(failure_of("return ('x'):rep(1e9)").text == "string.rep: too long a string");
}

TEST_CASE("recursion and nesting are bounded") {
  CHECK(failure_of("local function f() return 1 + f() end return f()").text.find("stack overflow") !=
        std::string::npos);
  CHECK(failure_of("local function f() return pcall(f) end f() error('end')").text == "end");
  CHECK(failure_of("return " + std::string(100'000, '{')).reason == FileError::Reason::syntax);
  CHECK(failure_of("return " + std::string(100'000, '(')).reason == FileError::Reason::syntax);
  CHECK(failure_of("local t = {} t.t = t return t").text ==
        "what the file returns: tables nested deeper than 32 levels, or one that contains itself");
  CHECK(failure_of("return { [{}] = 1 }").text == "what the file returns: a table or function as the key of a table");
}

TEST_CASE("compiled chunks are refused, errors name their line") {
  CHECK(failure_of("\x1bLua").text == "is compiled Lua, not text");
  CHECK(failure_of("\n\nx = = 1").line == 3);
  CHECK(failure_of("\nerror('no')").line == 2);
  CHECK(failure_of("\nerror('no')").text == "no");
  CHECK(failure_of("\n\nerror('no', 0)").line == 3);
  CHECK(failure_of("\nerror({})").text == "raised a table as an error");
  CHECK(failure_of("error('\\255\\n')").text == "\\xff ");
}

TEST_CASE("values cross and come back as they are") {
  Host host;
  std::vector<Value> got;
  host.set_global("give", host.function("give", [&](std::span<const Value> arguments) {
    got.assign(arguments.begin(), arguments.end());
    return Table{{"list", Table::list({1, "two", false})}, {"line", host.caller_line()}};
  }));
  const Value result = host.load("\nlocal r = give(nil, 'a\\0b', 2.5, { x = { 1 } })\nreturn r.list[2] .. r.line", "f");
  CHECK(*result.string() == "two2");
  REQUIRE(got.size() == 4);
  CHECK(got[0].is_nil());
  CHECK(*got[1].string() == std::string("a\0b", 3));
  CHECK(*got[2].number() == 2.5);
  CHECK(*got[3].table()->find("x")->table()->entries[0].second.number() == 1);
}

TEST_CASE("functions of the file can be called") {
  Host host;
  const Value function = host.load("local n = 0 return function(a) n = n + a return n, 'x' end", "f");
  const Value two(2);
  CHECK(*host.call(*function.function(), {&two, 1})[0].number() == 2);
  CHECK(*host.call(*function.function(), {&two, 1})[0].number() == 4);
  const Value same = host.load("return nil", "g");
  CHECK(same.is_nil());
}

TEST_CASE("pcall sees a callback's plain error, and nothing else") {
  Host host;
  host.set_global("plain", host.function("plain", [](std::span<const Value>) -> Value { throw CallbackError("no"); }));
  host.set_global("broken",
                  host.function("broken", [](std::span<const Value>) -> Value { throw std::logic_error("x"); }));
  host.set_global("odd", host.function("odd", [](std::span<const Value>) -> Value { throw 42; }));
  CHECK(*host.load("return select(2, pcall(function()\n plain() end))", "f").string() == "f:2: plain: no");
  CHECK_THROWS_AS(host.load("pcall(broken) while true do pcall(broken) end", "f"), std::logic_error);
  CHECK_THROWS_AS(host.load("pcall(odd)", "f"), int);
  CHECK_THROWS_AS(host.load("\n\nplain()", "f"), FileError);
  CHECK(*host.load("return 'still alive'", "f").string() == "still alive");
}

TEST_CASE("a callback may call back, with limits of its own") {
  Host::Limits limits;
  limits.instructions = 100'000;
  Host host(limits);
  const Value inner = host.load("return function() for i = 1, 20000 do end end", "f");
  host.set_global("again", host.function("again", [&](std::span<const Value>) {
    host.call(*inner.function(), {});
    return Value();
  }));
  CHECK_NOTHROW(host.load("for i = 1, 20 do again() end", "f"));
}

TEST_CASE("numbers and bytes as text") {
  CHECK(number_as_text(1) == "1");
  CHECK(number_as_text(0.05) == "0.05");
  CHECK(number_as_text(1e20) == "1e+20");
  CHECK(quoted("a\"\n\xff€") == "\"a\\\"\\x0a\\xff€\"");
  CHECK(quoted(std::string(100, 'x'), 10) == "\"xxxxxxxxxx…\"");
  CHECK(utf8_length("\xc0\x80") == 0);
  CHECK(utf8_length("\xed\xa0\x80") == 0);
  CHECK(utf8_length("\xf0\x9f\x98\x80") == 4);
}
