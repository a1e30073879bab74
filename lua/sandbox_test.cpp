// No script leaves anything behind for the next, whatever it tries.
#include <string>
#include <vector>

#include "lua/script_runner.h"
#include "testing/catch.h"

using namespace cohsim::lua;

namespace {

/// Everything that a script can see, as one text.
constexpr std::string_view fingerprint = R"lua(
  local out = {}
  local function walk(name, t)
    local keys = {}
    for k, v in pairs(t) do
      local value = type(v)
      if value == 'string' or value == 'number' or value == 'boolean' then value = value .. tostring(v) end
      keys[#keys + 1] = tostring(k) .. '=' .. value
    end
    table.sort(keys)
    out[#out + 1] = name .. ':' .. table.concat(keys, ',')
    out[#out + 1] = tostring(rawget(t, 1)) .. tostring(rawget(t, 'x')) .. tostring(getmetatable(t) ~= nil)
    local ok, value = pcall(function() return t[1] end)
    out[#out + 1] = tostring(ok) .. (ok and tostring(value) or '')
  end
  walk('_G', _G)
  local names = {}
  for k, v in pairs(_G) do if type(v) == 'table' and k ~= '_G' then names[#names + 1] = k end end
  table.sort(names)
  for _, name in ipairs(names) do walk(name, _G[name]) end
  out[#out + 1] = ('x'):upper() .. tostring(getmetatable('').__index == string) .. type(('x').nothing)
  out[#out + 1] = tostring(pcall(error, 'e')) .. tostring(select('#', unpack({1, 2}))) .. tostring(tonumber('7'))
  out[#out + 1] = tostring({}) .. #KEYS .. #ARGV .. tostring(redis == server) .. math.random()
  return table.concat(out, '\n')
)lua";

const std::vector<std::string> attacks = {
    "x = 1",
    "_G.x = 1",
    "rawset(_G, 'x', 1)",
    "rawset(_G, 1, 1)",
    "_G._G = {}",
    "_G = nil",
    "KEYS = {1}",
    "pcall = nil",
    "setmetatable(_G, {})",
    "setmetatable(_G, nil)",
    "setmetatable(string, {__index = {x = 1}})",
    "getmetatable(_G).__index = nil",
    "rawset(getmetatable(_G), '__index', {x = 1})",
    "getmetatable(_G).__newindex = rawset",
    "getmetatable('').__index = {}",
    "getmetatable('').x = 1",
    "rawset(getmetatable(''), '__index', {upper = 1})",
    "getmetatable('').__index.x = 1",
    "string.x = 1",
    "string.upper = string.lower",
    "rawset(string, 'upper', string.lower)",
    "rawset(string, 1, 1)",
    "math.random = nil",
    "table.insert(_G, 1)",
    "table.insert(string, 1)",
    "table.insert(redis, 1, 1)",
    "table.insert(getmetatable(''), 1)",
    "table.remove(_G)",
    "table.sort(_G, function() end)",
    "table.setn(_G, 3)",
    "redis.call = nil",
    "redis.x = 1",
    "server.x = 1",
    "os.x = 1",
    "os.clock = nil",
    "cjson.x = 1",
    "bit.x = 1",
    "coroutine.wrap = nil",
    "table.foreach(_G, function(k, v) if type(v) == 'table' and v ~= _G then v.x = 1 end end)",
    "for k, v in pairs(_G) do if type(v) == 'table' then rawset(v, 'x', 1) end end",
    "coroutine.wrap(function() x = 1 end)()",
    "coroutine.wrap(function() _G.string.x = 1 end)()",
    "loadstring('x = 1')()",
    "load(function() return nil end)() string.x = 1",
    "setfenv(1, {})",
    "setfenv(0, {})",
    "getfenv(0).x = 1",
    "debug.getregistry().x = 1",
    "newproxy(true)",
    "require('os')",
    "module('x')",
    "local t = setmetatable({}, {__newindex = _G}) t.x = 1",
    "local t = setmetatable({}, {__index = _G}) t.x = t.string t.x.x = 1",
    "next(_G, nil) string[1] = 1",
    "local m = getmetatable(_G) m[1] = 1",
    "xpcall(function() x = 1 end, function(e) y = e error(e) end) x = 1",
    "local a = {} a.__newindex = a setmetatable(a, a) string.a = a",
    "select('#', _G) rawset(math, 'pi', 3)",
    "redis.pcall('FAIL').x = 1 redis.y = 1"};

}  // namespace

TEST_CASE("every attempt to leave something behind fails, and leaves nothing") {
  Interpreter fresh;
  ScriptRunner expected(fresh);
  const std::string before = expected.run(fingerprint);
  REQUIRE(before.rfind("$_G:", 0) == 0);
  Interpreter interpreter;
  for (const std::string& attack : attacks) {
    INFO(attack);
    ScriptRunner runner(interpreter);
    CHECK(runner.run(attack).rfind("-", 0) == 0);
    CHECK(runner.run(fmt::format("local ok = pcall(function() {} end) return 1", attack)) == ":1");
    ScriptRunner next(interpreter);
    CHECK(next.run(fingerprint) == before);
  }
}

TEST_CASE("a cached script carries no state from call to call") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  const std::string counter =
      "local n = 0 local function up() n = n + 1 return n end KEYS[1] = up() ARGV.x = up() return n";
  CHECK(runner.run(counter) == ":2");
  CHECK(runner.run(counter) == ":2");
  CHECK(runner.run("return {#KEYS, #ARGV, KEYS[1], ARGV[1]}", {"k"}, {"a"}) == "[:1 :1 $k $a]");
  CHECK(runner.run("return {#KEYS, #ARGV, type(ARGV.x)}") == "[:0 :0 $nil]");
}

TEST_CASE("scripts see the server's globals and no others") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  CHECK(
      runner.run("local k = {} for a in pairs(_G) do k[#k + 1] = a end table.sort(k) return table.concat(k, ' ')") ==
      "$ARGV KEYS _G _VERSION assert bit cjson cmsgpack collectgarbage coroutine error gcinfo getmetatable ipairs load "
      "loadstring math next os pairs pcall rawequal rawget rawset redis select server setmetatable string struct table "
      "tonumber tostring type unpack xpcall");
}

TEST_CASE("what is not simulated says so, with its place") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  CHECK(runner.run("return 1\n, gcinfo()").rfind("-ERR gcinfo is not simulated script:", 0) == 0);
  CHECK(runner.unsimulated == "gcinfo at user_script:2");
  runner.run("\n\nreturn redis.pcall('NOWHERE')");
  CHECK(runner.unsimulated == "NOWHERE at user_script:3");
  for (const char* const script :
       {"collectgarbage('count')", "for k in pairs({[{}] = 1}) do end"}) {
    runner.unsimulated.clear();
    CHECK(runner.run(script).rfind("-ERR ", 0) == 0);
    CHECK_FALSE(runner.unsimulated.empty());
  }
}
