// bit, struct and cmsgpack: replies observed on redis-server 7.0.15.
#include <string>
#include <utility>
#include <vector>

#include "lua/script_runner.h"
#include "testing/catch.h"

using namespace cohsim::lua;
using namespace std::string_literals;

namespace {

const std::vector<std::pair<std::string, std::string>> cases = {
    {"return bit.band(2^32+5, 7)", ":5"},
    {"return bit.bxor(1, 2, 'x')", "-ERR user_script:1: bad argument #3 to 'bxor' (number expected, got string)"},
    {"return bit.band(65535, {}, true)",
     "-ERR user_script:1: bad argument #3 to 'band' (number expected, got boolean)"},
    {"return {bit.tobit(2^31), bit.tobit(2^53), bit.tobit(1.5), bit.tobit(2.5), bit.tobit(0/0), bit.tobit(1e300)}",
     "[:-2147483648 :0 :2 :2 :0 :-2013235812]"},
    {"return {bit.lshift(1, 31), bit.lshift(1, 32), bit.rshift(-1, 28), bit.arshift(-16, 2), bit.rol(0x12345678, 4), bit.ror(0x12345678, 4)}",
     "[:-2147483648 :1 :15 :-4 :591751041 :-2128394905]"},
    {"return {bit.tohex(-1), bit.tohex(65535, -4), bit.tohex(1, 0), bit.tohex(1, 99), bit.tohex(1, -2^31)}",
     "[$ffffffff $FFFF $ $00000001 $00000001]"},
    {"return {bit.bswap(1), bit.bnot(0)}", "[:16777216 :-1]"},
    {"return bit.tobit()", "-ERR user_script:1: bad argument #1 to 'tobit' (number expected, got no value)"},
    {"return struct.pack('>I2h', 1, -2)", "$\000\001\377\376"s},
    {"return {struct.unpack('>I2h', '\\0\\1\\255\\254')}", "[:1 :-2 :5]"},
    {"return struct.pack('s', 'abc')", "$abc\000"s},
    {"return struct.pack('i17', 1)", "$\001\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000"s},
    {"return struct.pack('i33', 1)", "-ERR user_script:1: integral size 33 is larger than limit of 32"},
    {"return struct.pack('!4bi4', 1, 2)", "$\001\000\000\000\002\000\000\000"s},
    {"return struct.pack('!3i', 1)", "-ERR user_script:1: alignment 3 is not a power of 2"},
    {"return struct.pack('>d', 0.1)", "$?\271\231\231\231\231\231\232"},
    {"return struct.pack('i99999999999', 1)", "-ERR user_script:1: integral size overflow"},
    {"return struct.pack('q', 1)", "-ERR user_script:1: bad argument #1 to 'pack' (invalid format option 'q')"},
    {"return struct.pack('c5', 'abc')", "-ERR user_script:1: bad argument #3 to 'pack' (string too short)"},
    {"return struct.pack('i', 'x')", "-ERR user_script:1: bad argument #2 to 'pack' (number expected, got string)"},
    {"return {struct.size('i4'), struct.size('!bd'), struct.size('>!2bl')}", "[:4 :16 :10]"},
    {"return struct.size('s')", "-ERR user_script:1: bad argument #1 to 'size' (option 's' has no fixed size)"},
    {"return struct.size('c0')", "-ERR user_script:1: bad argument #1 to 'size' (option 'c0' has no fixed size)"},
    {"return struct.unpack('>I4', 'ab')", "-ERR user_script:1: bad argument #2 to 'unpack' (data string too short)"},
    {"return {struct.unpack('bc0', '\\3abcde')}", "[$abc :5]"},
    {"return struct.unpack('c0', 'abc')", "-ERR user_script:1: format 'c0' needs a previous size"},
    {"return struct.unpack('s', 'abc')", "-ERR user_script:1: unfinished string in data"},
    {"return struct.unpack('b', 'abc', 0)",
     "-ERR user_script:1: bad argument #3 to 'unpack' (offset must be 1 or greater)"},
    {"return {struct.unpack('b', 'abc', 2)}", "[:98 :3]"},
    {"return cmsgpack.pack({1, 2, 3})", "$\223\001\002\003"},
    {"return cmsgpack.pack({a = 1})", "$\201\241a\001"},
    {"return cmsgpack.pack({[1] = 1, [3] = 3})", "$\202\001\001\003\003"},
    {"return cmsgpack.pack({['1'] = true})", "$\201\2411\303"},
    {"return cmsgpack.pack(1.5, 0.1, -1, 2^40, -2^63, 2^63)",
     "$\312?\300\000\000\313?\271\231\231\231\231\231\232\377\317\000\000\001\000\000\000\000\000\323\200\000\000\000\000\000\000\000\312_\000\000\000"s},
    {"return cmsgpack.pack()", "-ERR user_script:1: bad argument #0 to 'pack' (MessagePack pack needs input.)"},
    {"return #cmsgpack.pack(string.rep('x', 70000))", ":70005"},
    {"local t = {} t[1] = t return cmsgpack.pack(t)",
     "$\221\221\221\221\221\221\221\221\221\221\221\221\221\221\221\221\300"},
    {"return {cmsgpack.unpack('\\1\\2')}", "[:1 :2]"},
    {"return cmsgpack.unpack('\\147\\1')", "-ERR user_script:1: Missing bytes in input."},
    {"return cmsgpack.unpack('\\193')", "-ERR user_script:1: Bad data format in input."},
    {"return cmsgpack.unpack('\\196\\1a')", "-ERR user_script:1: Bad data format in input."},
    {"return tostring(cmsgpack.unpack('\\207\\192\\0\\0\\0\\0\\0\\0\\0'))", "$-4.6116860184274e+18"},
    {"return cmsgpack.unpack('')", "nil"},
    {"return cmsgpack.unpack(1)", ":49"},
    {"return cmsgpack.unpack()", "-ERR user_script:1: bad argument #1 to 'unpack' (string expected, got no value)"},
    {"return {cmsgpack.unpack_one('\\1\\2', 0)}", "[:1 :1]"},
    {"return {cmsgpack.unpack_one('\\1\\2', 1)}", "[:-1 :2]"},
    {"return {cmsgpack.unpack_limit('\\1\\2\\3', 2)}", "[:2 :1 :2]"},
    {"return cmsgpack.unpack_one('\\1', 2)", "-ERR user_script:1: Start offset 2 greater than input length 1."},
    {"return cmsgpack.unpack_one('\\1', -1)",
     "-ERR user_script:1: Invalid request to unpack with offset of -1 and limit of 1."},
    {"return cmsgpack.unpack('\\129\\192\\1')", "-ERR table index is nil"},
    {"return cmsgpack._VERSION", "$lua-cmsgpack 0.4.0"},
};

}  // namespace

TEST_CASE("binary libraries give what redis-server 7.0.15 gave") {
  Interpreter interpreter;
  ScriptRunner runner(interpreter);
  for (const auto& [script, reply] : cases) {
    INFO(script);
    const std::string seen = runner.run(script);
    CHECK(seen.substr(0, seen.find(" script: ")) == reply);
  }
}
