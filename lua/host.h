// A sandbox for data files in Lua 5.1: bounded, deterministic, without any door to the machine. For scenario files; the
// scripts of the fake server have their own (interpreter.h).
//
// A file sees: assert error ipairs next pairs pcall xpcall select tonumber tostring type unpack rawequal
// collectgarbage("count") (always 0), string (without dump), table, and of math what is exact on every machine.
// `pairs` and `next` go in the order of lua::Table. Coroutines and metatables are not there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lua/value.h"

namespace cohsim::lua {

/// The file is at fault: it does not compile, raised an error or went over a limit.
class FileError : public std::runtime_error {
 public:
  enum class Reason : std::uint8_t { syntax, raised, instructions, memory };
  FileError(Reason why, int at_line, const std::string& text) : std::runtime_error(text), reason(why), line(at_line) {}
  Reason reason;
  int line;  ///< of the file, 0: unknown. what() does not repeat it.
};

/// Thrown by a callback to raise a plain Lua error at its caller, which the file's pcall may catch. Every other
/// exception of a callback stops the file, cannot be caught by it, and leaves Host::load or Host::call as it was
/// thrown.
class CallbackError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Host {
 public:
  struct Limits {
    std::uint64_t instructions = 10'000'000;  ///< per load or call; library work is charged by the size of its input
    std::size_t memory_bytes = 16U << 20U;    ///< of the whole state
    std::size_t block_bytes = 4U << 20U;      ///< of one string or one array
    int depth = 32;                           ///< nesting of tables that cross to C++
    std::size_t entries = 100'000;            ///< table entries that cross in one value
  };
  using Callback = std::function<Value(std::span<const Value>)>;

  explicit Host(const Limits& limits);
  Host() : Host(Limits()) {}
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// A function of this host that calls back; `name` stands in messages about its arguments.
  Value function(std::string name, Callback callback);
  void set_global(std::string_view name, const Value& value);

  /// Compiles and runs the text and answers its first result. `name` is how the file is called in messages inside Lua.
  /// Binary chunks are refused. Throws FileError, or what a callback threw.
  Value load(std::string_view text, std::string_view name);
  /// Calls a function of this host. Throws FileError, or what a callback threw. A callback may call, too: the inner
  /// call has limits of its own, and what it throws ends the outer one as well unless the callback catches it.
  std::vector<Value> call(FunctionRef function, std::span<const Value> arguments);

  /// Inside a callback: the line of the innermost Lua function, which called it; 0: unknown.
  [[nodiscard]] int caller_line() const;

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace cohsim::lua
