// Function libraries: texts observed on redis-server 7.0.15.
#include "lua/function_library.h"

#include <string>

#include "lua/script_runner.h"
#include "testing/catch.h"

using namespace cohsim::lua;

namespace {

/// Loads with a runner's host, calls functions, and gives both as the runner's text.
class Libraries {
 public:
  explicit Libraries(Interpreter& interpreter, Dialect dialect = Dialect::redis7)
      : interpreter_(interpreter), runner_(interpreter) {
    runner_.dialect = dialect;
  }

  /// "" or the error reply.
  std::string load(std::string_view code) {
    const std::string text = fmt::format("#!lua name=a\n{}", code);
    const auto head = read_library_head(text);
    LibraryLoad load;
    load.body = std::get<LibraryHead>(head).body;
    load.dialect = runner_.dialect;
    load.host = &runner_;
    load.random = &runner_.random;
    load.collation = &byte_order_;
    load.instruction_limit = 1'000'000;
    auto loaded = interpreter_.load(load);
    if (const auto* const error = std::get_if<CompileError>(&loaded)) return error->reply;
    library = std::get<std::shared_ptr<FunctionLibrary>>(loaded);
    return "";
  }
  std::string call(std::string_view name, const std::vector<std::string_view>& keys = {},
                   const std::vector<std::string_view>& arguments = {}) {
    return runner_.run_function(library->find(name)->function, std::string(name), keys, arguments);
  }
  std::string run(std::string_view script) { return runner_.run(script); }

  std::shared_ptr<FunctionLibrary> library;

 private:
  Interpreter& interpreter_;
  ScriptRunner runner_;
  Collation byte_order_{"C"};
};

std::string head_error(std::string_view text) {
  const auto head = read_library_head(text);
  const auto* const error = std::get_if<CompileError>(&head);
  return error == nullptr ? "" : error->reply;
}

}  // namespace

TEST_CASE("the first line of a library") {
  CHECK(head_error("") == "ERR Missing library metadata");
  CHECK(head_error("#!lua") == "ERR Invalid library metadata");
  CHECK(head_error("#!lua name=\"unb\n") == "ERR Invalid library metadata");
  CHECK(head_error("#!lua\n") == "ERR Library name was not given");
  CHECK(head_error("#!lua name=a name=b\n") == "ERR Invalid metadata value, name argument was given multiple times");
  CHECK(head_error("#!lua name=a flags=x\n") == "ERR Invalid metadata value given: flags=x");
  CHECK(head_error("#!lua name=a-b\n") ==
        "ERR Library names can only contain letters, numbers, or underscores(_) and must be at least one character "
        "long");
  const auto head = read_library_head("#!LUA \"NAME=b\"\r\nx");
  CHECK(std::get<LibraryHead>(head).engine == "LUA");
  CHECK(std::get<LibraryHead>(head).name == "b");
  CHECK(std::get<LibraryHead>(head).body == "\nx");
}

TEST_CASE("functions are called with keys and arguments, and keep their upvalues") {
  Interpreter interpreter;
  Libraries libraries(interpreter);
  REQUIRE(libraries
              .load("local n = 0\n"
                    "redis.register_function('count', function() n = n + 1 return n end)\n"
                    "redis.register_function('given', function(k, a, x) return {k, a, type(x)} end)\n"
                    "redis.register_function{function_name = 'full', callback = function() return 1 end,\n"
                    "  flags = {'no-writes', 'allow-oom'}, description = 'about'}")
              .empty());
  CHECK(libraries.call("count") == ":1");
  CHECK(libraries.call("count") == ":2");
  CHECK(libraries.call("given", {"k"}, {"a", "b"}) == "[[$k] [$a $b] $nil]");
  const LibraryFunction& full = *libraries.library->find("full");
  CHECK((full.flags.no_writes && full.flags.allow_oom && !full.flags.allow_stale));
  CHECK(full.description == "about");
  CHECK_FALSE(libraries.library->find("given")->description);
  CHECK(libraries.library->find("FULL") == nullptr);
  CHECK(libraries.library->functions().size() == 3);
  CHECK(libraries.run("return tostring(KEYS) ~= ''") == ":1");
}

TEST_CASE("what a library's functions can reach") {
  Interpreter interpreter;
  Libraries libraries(interpreter);
  REQUIRE(
      libraries
          .load("local old = redis\n"
                "local f = {keys = function() return KEYS end, fails = function() error('e') end,\n"
                "  old = function() return old.call('PING') end, ping = function() return redis.call('PING') end,\n"
                "  late = function() old.register_function('x', function() end) end,\n"
                "  gone = function() redis.register_function('x', function() end) end,\n"
                "  leak = function() x = 1 end, debug = function() return type(redis.debug) end,\n"
                "  err = function() return {err = 'My err'} end, resp = function() redis.setresp(3) return true end}\n"
                "redis.register_function('keys', f.keys) redis.register_function('fails', f.fails)\n"
                "redis.register_function('old', f.old) redis.register_function('ping', f.ping)\n"
                "redis.register_function('late', f.late) redis.register_function('gone', f.gone)\n"
                "redis.register_function('leak', f.leak) redis.register_function('debug', f.debug)\n"
                "redis.register_function('err', f.err) redis.register_function('resp', f.resp)")
          .empty());
  CHECK(libraries.call("keys") ==
        "-ERR user_function:3: Script attempted to access nonexistent global variable 'KEYS' script: keys, on "
        "@user_function:3.");
  CHECK(libraries.call("fails") == "-ERR user_function:3: e script: fails, on @user_function:3.");
  CHECK(libraries.call("old") ==
        "-ERR user_function:4: Script attempted to access nonexistent global variable 'call' script: old, on "
        "@user_function:4.");
  CHECK(libraries.call("ping") == "+PONG");
  CHECK(libraries.call("late") ==
        "-ERR redis.register_function can only be called on FUNCTION LOAD command script: late, on @user_function:5.");
  CHECK(libraries.call("gone") ==
        "-ERR user_function:6: attempt to call field 'register_function' (a nil value) script: gone, on "
        "@user_function:6.");
  CHECK(libraries.call("leak") ==
        "-ERR user_function:7: Attempt to modify a readonly table script: leak, on @user_function:7.");
  CHECK(libraries.call("debug") == "$nil");
  CHECK(libraries.call("err") == "-My err");
  CHECK(libraries.call("resp") == "#t");
}

TEST_CASE("what FUNCTION LOAD refuses") {
  Interpreter interpreter;
  Libraries libraries(interpreter);
  const std::string f = "redis.register_function('f', function() end) ";
  const std::string prefix = "ERR Error registering functions: ERR ";
  CHECK(libraries.load("local x") == "ERR No functions registered");
  CHECK(libraries.load("return x =") == "ERR Error compiling function: user_function:2: '<eof>' expected near '='");
  CHECK(libraries.load("\033Lua") ==
        "ERR Error compiling function: user_function:2: unexpected symbol near 'char(27)'");
  CHECK(libraries.load("x = 1") == prefix + "user_function:2: Attempt to modify a readonly table");
  CHECK(libraries.load("redis.x = 1") == prefix + "user_function:2: Attempt to modify a readonly table");
  for (const std::string name : {"pairs", "error", "_G", "KEYS", "math"}) {
    CHECK(libraries.load("local x = " + name) ==
          prefix + "user_function:2: Script attempted to access nonexistent global variable '" + name + "'");
  }
  CHECK(libraries.load("redis.call('PING')") ==
        prefix + "user_function:2: Script attempted to access nonexistent global variable 'call'");
  CHECK(libraries.load("while true do end") == prefix + "FUNCTION LOAD timeout");
  CHECK(libraries.load(f + f) == prefix + "Function already exists in the library");
  CHECK(libraries.load("redis.register_function('f-x', function() end)") ==
        prefix +
            "Library names can only contain letters, numbers, or underscores(_) and must be at least one character "
            "long");
  CHECK(libraries.load("redis.log()") == prefix + "redis.log() requires two arguments or more.");
  CHECK(libraries.load(f).empty());
  CHECK(libraries.load(f).empty());  // whether another library has it is the server's business
}

TEST_CASE("arguments of register_function") {
  Interpreter interpreter;
  Libraries libraries(interpreter);
  const auto refusal = [&](const std::string& arguments) {
    const std::string reply = libraries.load("redis.register_function" + arguments);
    const std::string prefix = "ERR Error registering functions: ERR ";
    return reply.rfind(prefix, 0) == 0 ? reply.substr(prefix.size()) : reply;
  };
  const std::string single =
      "calling redis.register_function with a single argument is only applicable to Lua table (representing named "
      "arguments).";
  CHECK(refusal("()") == "wrong number of arguments to redis.register_function");
  CHECK(refusal("('f', function() end, 1)") == "wrong number of arguments to redis.register_function");
  CHECK(refusal("('f')") == single);
  CHECK(refusal("(1)") == single);
  CHECK(refusal("('f', 1)") == "second argument to redis.register_function must be a function");
  CHECK(refusal("({}, 1)") == "first argument to redis.register_function must be a string");
  CHECK(refusal("(1, function() end)").empty());
  CHECK(refusal("{callback = function() end}") == "redis.register_function must get a function name argument");
  CHECK(refusal("{function_name = 'f'}") == "redis.register_function must get a callback argument");
  CHECK(refusal("{function_name = {}}") == "function_name argument given to redis.register_function must be a string");
  CHECK(refusal("{description = {}}") == "description argument given to redis.register_function must be a string");
  CHECK(refusal("{callback = 1}") == "callback argument given to redis.register_function must be a function");
  CHECK(refusal("{flags = 1}") ==
        "flags argument to redis.register_function must be a table representing function flags");
  CHECK(refusal("{flags = {'x'}}") == "unknown flag given");
  CHECK(refusal("{flags = {1}}") == "unknown flag given");
  CHECK(refusal("{x = 1}") == "unknown argument given to redis.register_function");
  CHECK(refusal("{[true] = 1}") == "named argument key given to redis.register_function is not a string");
  CHECK(refusal("{function_name = 1, callback = function() end, description = 2, flags = {[2] = 'x'}}").empty());
  Libraries valkey(interpreter, Dialect::valkey8);
  CHECK(valkey.load("server.register_function()") ==
        "ERR Error registering functions: ERR wrong number of arguments to server.register_function");
}

TEST_CASE("a library outlives its interpreter, and scripts see nothing of it") {
  auto interpreter = std::make_unique<Interpreter>();
  std::shared_ptr<FunctionLibrary> library;
  {
    Libraries libraries(*interpreter);
    REQUIRE(libraries.load("redis.register_function('f', function() end)").empty());
    library = libraries.library;
    CHECK(libraries.run("return f").rfind("-ERR user_script:1: Script attempted", 0) == 0);
    CHECK(libraries.run("return type(redis.call)") == "$function");
  }
  interpreter.reset();
  library.reset();
}
