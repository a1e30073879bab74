// cjson: replies observed on redis-server 7.0.15.
#include <string>
#include <utility>
#include <vector>

#include "lua/script_runner.h"
#include "testing/catch.h"

using namespace cohsim::lua;
using namespace std::string_literals;

namespace {

const std::vector<std::pair<std::string, std::string>> cases = {
    {"return cjson.encode({1, 2, {a = 1.5, b = 'x/\\1\\127\\200'}})",
     "$[1,2,{\"a\":1.5,\"b\":\"x\\/\\u0001\\u007f\310\"}]"},
    {"return cjson.encode({[1] = 1, [5] = 5})", "$[1,null,null,null,5]"},
    {"return cjson.encode({[1] = 1, [20] = 2})",
     "-ERR user_script:1: Cannot serialise table: excessively sparse array"},
    {"return cjson.encode({[2^40] = 1})", "${\"1099511627776\":1}"},
    {"return cjson.encode({[1.5] = 1})", "${\"1.5\":1}"},
    {"return cjson.encode({[true] = 1})",
     "-ERR user_script:1: Cannot serialise boolean: table key must be a number or string"},
    {"return cjson.encode({})", "${}"},
    {"return cjson.encode({pcall})", "-ERR user_script:1: Cannot serialise function: type not supported"},
    {"return cjson.encode(cjson.null)", "$null"},
    {"return cjson.encode(1/0)", "-ERR user_script:1: Cannot serialise number: must not be NaN or Inf"},
    {"return cjson.encode({1e15, 123456789012345678, 0.1, -0.0})", "$[1e+15,1.2345678901235e+17,0.1,-0]"},
    {"return cjson.encode()", "-ERR user_script:1: bad argument #1 to 'encode' (expected 1 argument)"},
    {"return cjson.encode(1, 2)", "-ERR user_script:1: bad argument #1 to 'encode' (expected 1 argument)"},
    {"local t = {} t[1] = t return cjson.encode(t)", "-ERR user_script:1: Cannot serialise, excessive nesting (1001)"},
    {"local t = {} for i = 1, 1001 do t = {t} end return #cjson.encode(t)",
     "-ERR user_script:1: Cannot serialise, excessive nesting (1001)"},
    {"return #cjson.encode(setmetatable({}, {__index = {1, 2}}))", ":2"},
    {"local a = cjson.decode('{\"a\":[1,null,true,\"\\\\u00e9\\\\ud83d\\\\ude00\\\\n\"]}') return {a.a[1], a.a[2] == cjson.null, a.a[3], a.a[4]}",
     "[:1 :1 :1 $\303\251\360\237\230\200\n]"},
    {"return tostring(cjson.null)", "$userdata: (nil)"},
    {"return cjson.decode('[1,')", "-ERR user_script:1: Expected value but found T_END at character 4"},
    {"return cjson.decode('{\"a\" 1}')", "-ERR user_script:1: Expected colon but found T_NUMBER at character 6"},
    {"return cjson.decode('{1:2}')",
     "-ERR user_script:1: Expected object key string but found T_NUMBER at character 2"},
    {"return cjson.decode('[\"a\" \"b\"]')",
     "-ERR user_script:1: Expected comma or array end but found T_STRING at character 6"},
    {"return cjson.decode('\"\\\\ud83d\"')",
     "-ERR user_script:1: Expected value but found invalid unicode escape code at character 2"},
    {"return cjson.decode('\"abc')",
     "-ERR user_script:1: Expected value but found unexpected end of string at character 5"},
    {"return cjson.decode('\"\\\\x\"')",
     "-ERR user_script:1: Expected value but found invalid escape code at character 2"},
    {"return cjson.decode('truf')", "-ERR user_script:1: Expected value but found invalid token at character 1"},
    {"return cjson.decode('1 x')", "-ERR user_script:1: Expected the end but found invalid token at character 3"},
    {"return cjson.decode('\\0\\0')", "-ERR user_script:1: JSON parser does not support UTF-16 or UTF-32"},
    {"return cjson.decode('')", "-ERR user_script:1: Expected value but found T_END at character 1"},
    {"return cjson.decode(string.rep('[', 1001) .. string.rep(']', 1001))",
     "-ERR user_script:1: Found too many nested data structures (1001) at character 1001"},
    {"return {cjson.decode('0x10'), cjson.decode('01'), tostring(cjson.decode('inf')), tostring(cjson.decode('-nan'))}",
     "[:16 :1 $inf $-nan]"},
    {"cjson.decode_invalid_numbers(false) return cjson.decode('[0x10]')",
     "-ERR user_script:1: Expected value but found invalid number at character 2"},
    {"cjson.encode_max_depth(2) return cjson.encode({{{}}})",
     "-ERR user_script:1: Cannot serialise, excessive nesting (3)"},
    {"cjson.decode_max_depth(1) return cjson.decode('[[]]')",
     "-ERR user_script:1: Found too many nested data structures (2) at character 2"},
    {"return cjson.encode_max_depth(0)",
     "-ERR user_script:1: bad argument #1 to 'encode_max_depth' (expected integer between 1 and 2147483647)"},
    {"return cjson.encode_sparse_array(true, -1)",
     "-ERR user_script:1: bad argument #1 to 'encode_sparse_array' (expected integer between 0 and 2147483647)"},
    {"return cjson.encode_number_precision(15)",
     "-ERR user_script:1: bad argument #1 to 'encode_number_precision' (expected integer between 1 and 14)"},
    {"return cjson.encode_keep_buffer('x')",
     "-ERR user_script:1: bad argument #1 to 'encode_keep_buffer' (invalid option 'x')"},
    {"return {cjson.encode_max_depth(1, 2)}",
     "-ERR user_script:1: bad argument #2 to 'encode_max_depth' (found too many arguments)"},
    {"cjson.encode_sparse_array(true) return cjson.encode({[1] = 1, [20] = 2})", "${\"1\":1,\"20\":2}"},
    {"cjson.encode_sparse_array(false, 2, 3) return cjson.encode({[5] = 1})",
     "-ERR user_script:1: Cannot serialise table: excessively sparse array"},
    {"cjson.encode_invalid_numbers('null') return {cjson.encode({0/0, 1/0}), cjson.encode_invalid_numbers()}",
     "[$[null,null] $null]"},
    {"cjson.encode_invalid_numbers(true) return cjson.encode({0/0, 1/0, -1/0})", "$[nan,inf,-inf]"},
    {"cjson.encode_number_precision(3) return cjson.encode(1/3)", "$0.333"},
    {"local own = cjson.new() own.encode_number_precision(5) own.x = 1 return own.encode(1/3)", "$0.33333"},
    {"cjson.x = 1", "-ERR user_script:1: Attempt to modify a readonly table"},
};

}  // namespace

TEST_CASE("cjson gives what redis-server 7.0.15 gave after SCRIPT FLUSH") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  for (const auto& [script, reply] : cases) {
    INFO(script);
    const std::string seen = runner.run(script);
    CHECK(seen.substr(0, seen.find(" script: ")) == reply);
  }
}

TEST_CASE("cjson's settings stay with the server that a call brings, and with nothing else") {
  Interpreter interpreter;
  ScriptRunner server(interpreter);
  JsonSettings settings;
  server.json = &settings;
  CHECK(server.run("cjson.encode_number_precision(3) return cjson.encode(1/3)") == "$0.333");
  CHECK(server.run("return cjson.encode(1/3)") == "$0.333");
  ScriptRunner other(interpreter);
  CHECK(other.run("return cjson.encode(1/3)") == "$0.33333333333333");
  CHECK(other.run("cjson.encode_number_precision(3) return 1") == ":1");
  CHECK(other.run("return cjson.encode(1/3)") == "$0.33333333333333");
}

TEST_CASE("what libraries build is bounded") {
  Interpreter interpreter;
  for (const char* const script :
       {"cjson.encode_sparse_array(true, 0) return cjson.encode({[2^31 - 1] = 1})",
        "local s = string.rep('x', 2^20) local t = {} for i = 1, 99 do t[i] = s end return cjson.encode(t)",
        "local s = string.rep('x', 2^20) local t = {} for i = 1, 99 do t[i] = s end return cmsgpack.pack(t)",
        "return cjson.decode(string.rep('[', 1000) .. string.rep('{},', 2^20))"}) {
    INFO(script);
    ScriptRunner runner(interpreter);
    const std::string reply = runner.run(script);
    CHECK(reply.rfind("-ERR ", 0) == 0);
    CHECK(runner.run("return 7") == ":7");
  }
  ScriptRunner runner(interpreter);
  CHECK(runner.run("return cmsgpack.unpack(string.rep('\\145', 100000))").rfind("-ERR ", 0) == 0);
  CHECK(runner.run("return #cjson.encode(bit) > 0").rfind("-ERR ", 0) == 0);
  CHECK(runner.run("return cjson.encode(math)").rfind("-ERR ", 0) == 0);
  CHECK(runner.run("return cjson.decode_max_depth(2^31 - 1) and cjson.decode(string.rep('[', 100000))")
            .rfind("-ERR ", 0) == 0);
}
