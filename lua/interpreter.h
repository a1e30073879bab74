// Lua 5.1 as Valkey 8 and Redis 7.0 embed it: compiles scripts, runs them in the server's sandbox, converts values both ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "lua/collation.h"
#include "lua/dialect.h"
#include "lua/json_settings.h"
#include "lua/random48.h"
#include "lua/reply_buffer.h"

namespace cohsim::lua {

/// The server as a running script sees it. Exceptions thrown by an implementation stop the script, whatever it tries to
/// catch, and leave `Interpreter::run`.
class ScriptHost {
 public:
  virtual ~ScriptHost() = default;
  /// Runs one command for redis.call or redis.pcall; `args[0]` is its name. Writes exactly one reply, whose text must
  /// stay valid until the next call. `resp` is the protocol (2 or 3) that the script asked for with setresp: commands
  /// whose reply has another shape in RESP3 (ZRANGE WITHSCORES) must give that one; maps, doubles and the like are
  /// turned into RESP2's shape here. Returns false where the command is not simulated (the reply is then an error).
  virtual bool call(std::span<const std::string_view> args, int resp, ReplyBuffer& reply) = 0;
  /// Whether a real server has this command (simulated or not), any case of letters.
  [[nodiscard]] virtual bool knows_command(std::string_view name) const = 0;
  /// The script met something that is not simulated, at `place` ("user_script:3").
  virtual void not_simulated(std::string_view what, std::string_view place) = 0;
  /// Asked when the script has run for ScriptCall::slow_after instructions, and again at every later check of the
  /// instruction limit, at `place`. This is where a server answers BUSY to others. False kills the script, as SCRIPT
  /// KILL does; unlike a real server's, this kill cannot be caught. Must not use the interpreter.
  virtual bool goes_on(std::uint64_t instructions, std::string_view place) {
    static_cast<void>(instructions), static_cast<void>(place);
    return true;
  }
};

/// A compiled script. Stale once the interpreter's generation has moved on: compile it again then.
struct Function {
  int reference = 0;
  std::uint64_t generation = 0;
  bool of_library = false;  ///< registered by a function library (function_library.h): called with keys and arguments
};

/// What `flags=` of a shebang says, or the flags of a registered function.
struct ScriptFlags {
  bool no_writes = false;
  bool allow_oom = false;
  bool allow_stale = false;
  bool no_cluster = false;
  bool allow_cross_slot_keys = false;
};

struct Compiled {
  Function function;
  bool has_shebang = false;  ///< without one, a script is in the mode of old: its commands are checked one by one
  ScriptFlags flags;
};

/// Why a script does not compile: the whole text of the error reply, code included.
struct CompileError {
  std::string reply;
};

struct SyntaxError {
  int line = 0;
  std::string message;  ///< Lua's own words, without the position
};

class FunctionLibrary;

/// What FUNCTION LOAD needs to run a library's code once.
struct LibraryLoad {
  std::string_view body;  ///< LibraryHead::body
  Dialect dialect = Dialect::valkey8;
  ScriptHost* host = nullptr;
  Random48* random = nullptr;
  JsonSettings* json = nullptr;  ///< see ScriptCall; real servers keep a second one for functions
  const Collation* collation = nullptr;
  std::uint64_t instruction_limit = 0;
};

struct ScriptCall {
  Function function;  ///< compiled for the same dialect
  Dialect dialect = Dialect::valkey8;
  std::string_view sha1;  ///< named in the text of errors; of a library's function: its name
  std::span<const std::string_view> keys;
  std::span<const std::string_view> arguments;
  ScriptHost* host = nullptr;
  Random48* random = nullptr;
  JsonSettings* json = nullptr;  ///< what cjson's functions set; null: the defaults, for this call alone
  const Collation* collation = nullptr;
  std::uint64_t instruction_limit = 0;  ///< VM instructions; checked every 10 000 (every 100 inside coroutines)
  std::uint64_t slow_after = 0;         ///< instructions after which the host is asked whether to go on; 0: never
};

/// How a call ended, beside its reply.
struct ScriptEnd {
  bool endless = false;
  bool killed = false;     ///< the host did not let it go on
  std::string endless_at;  ///< where it was stopped: "user_script:3"
};

/// Lua states, one for each dialect in use, kept for all servers and runs of a worker. No call leaves anything behind for the next: globals and
/// libraries are read-only, KEYS and ARGV are fresh, and what is mutable on a real server (random numbers, cjson's settings) stands in
/// the caller. Not for use by several threads; not reentrant (`run` inside `run` throws std::logic_error).
class Interpreter {
 public:
  /// One call may allocate so much more than what is alive at its start; beyond, it is stopped and counts as not
  /// simulated, since real servers have no such limit.
  static constexpr std::size_t memory_limit_bytes = std::size_t{64} << 20U;
  /// Compiled scripts kept; when there are more, all are dropped and the generation moves on.
  static constexpr std::size_t functions_max = 8192;

  Interpreter();
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  /// Compiles a script as EVAL does (shebang included), or finds it compiled; `sha1` is that of the text.
  std::variant<Compiled, CompileError> compile(std::string_view text, const std::string& sha1,
                                               Dialect dialect = Dialect::valkey8);
  /// Only parses; the first syntax error, if any. The line is counted from 1.
  std::variant<std::monostate, SyntaxError> check(std::string_view text);

  /// Runs a library's code; the library, or the error reply (compilation, errors of the code, nothing registered).
  std::variant<std::shared_ptr<FunctionLibrary>, CompileError> load(const LibraryLoad& library);

  [[nodiscard]] std::uint64_t generation(Dialect dialect = Dialect::valkey8) const;

  /// Runs a script and writes its reply, which stays valid until the next use of the interpreter or of `reply`.
  void run(const ScriptCall& call, ReplyBuffer& reply, ScriptEnd& end);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cohsim::lua
