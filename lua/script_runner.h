// For tests of this folder: runs one script against a host that knows PING, ECHO and FAIL, and gives the reply as text.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lua/interpreter.h"
#include "lua/sha1.h"

namespace cohsim::lua {

class ScriptRunner final : public ScriptHost {
 public:
  explicit ScriptRunner(Interpreter& interpreter) : interpreter_(interpreter) {}

  bool call(std::span<const std::string_view> args, int resp, ReplyBuffer& reply) override {
    if (args[0] == "THROW") throw std::runtime_error("thrown by the host");
    if (args[0] == "THROW_INT") throw 42;
    if (args[0] == "PING") {
      reply.status("PONG");
    } else if (args[0] == "ECHO") {
      reply.bulk(args[1]);
    } else if (args[0] == "RESP") {
      reply.integer(resp);
    } else if (args[0] == "KINDS") {
      write_kinds(reply);
    } else if (args[0] == "FAIL") {
      reply.error("ERR failed");
    } else {
      reply.error("ERR not here");
      return false;
    }
    return true;
  }
  [[nodiscard]] bool knows_command(std::string_view name) const override { return name == "PING"; }
  void not_simulated(std::string_view what, std::string_view place) override {
    unsimulated = std::string(what) + " at " + std::string(place);
  }

  bool goes_on(std::uint64_t, std::string_view) override {
    ++asked;
    return lives != 0 && lives-- != 0;
  }

  /// `:1`, `$text`, `+status`, `-error`, `nil`, `[a b]`.
  std::string run(std::string_view text, const std::vector<std::string_view>& keys = {},
                  const std::vector<std::string_view>& arguments = {}) {
    const std::string sha1 = sha1_hex(text);
    const auto compiled = interpreter_.compile(text, sha1, dialect);
    if (const auto* const error = std::get_if<CompileError>(&compiled)) return fmt::format("-{}", error->reply);
    return run_function(std::get<Compiled>(compiled).function, sha1, keys, arguments);
  }

  /// The same for a compiled script, or for a function of a library under its name.
  std::string run_function(Function function, const std::string& sha1, const std::vector<std::string_view>& keys,
                           const std::vector<std::string_view>& arguments) {
    ScriptCall call;
    call.function = function;
    call.dialect = dialect;
    call.sha1 = sha1;
    call.keys = keys;
    call.arguments = arguments;
    call.host = this;
    call.random = &random;
    call.json = json;
    call.collation = &byte_order_;
    call.instruction_limit = instruction_limit;
    call.slow_after = slow_after;
    end = {};
    interpreter_.run(call, reply_, end);
    std::size_t place = 0;
    return shown(place);
  }

  Random48 random;
  JsonSettings* json = nullptr;
  Dialect dialect = Dialect::valkey8;
  std::uint64_t instruction_limit = 5'000'000;
  std::uint64_t slow_after = 0;
  std::uint64_t lives = 0;  ///< how often a slow script may go on
  std::uint64_t asked = 0;
  ScriptEnd end;
  std::string unsimulated;

 private:
  /// One of everything that RESP3 has and RESP2 has not.
  static void write_kinds(ReplyBuffer& reply) {
    reply.array(9);
    reply.boolean(true);
    reply.boolean(false);
    reply.real(1.5, "1.5");
    reply.big_number("12345678901234567890");
    reply.verbatim("txt:words");
    reply.map(1);
    reply.bulk("key");
    reply.map(0);
    reply.set(2);
    reply.bulk("a");
    reply.integer(7);
    reply.null_array();
    reply.nil();
  }

  std::string shown(std::size_t& place) {
    const ReplyBuffer::Token token = reply_.tokens().at(place++);
    const std::string text(token.text);
    switch (token.kind) {
      case ReplyBuffer::Kind::nil: return "nil";
      case ReplyBuffer::Kind::null_array: return "nil*";
      case ReplyBuffer::Kind::boolean: return token.integer != 0 ? "#t" : "#f";
      case ReplyBuffer::Kind::real: return fmt::format(",{}", text);
      case ReplyBuffer::Kind::big_number: return fmt::format("({}", text);
      case ReplyBuffer::Kind::verbatim: return fmt::format("={}", text);
      case ReplyBuffer::Kind::integer: return fmt::format(":{}", token.integer);
      case ReplyBuffer::Kind::status: return fmt::format("+{}", text);
      case ReplyBuffer::Kind::error: return fmt::format("-{}", text);
      case ReplyBuffer::Kind::bulk: return fmt::format("${}", text);
      case ReplyBuffer::Kind::array:
      case ReplyBuffer::Kind::set:
      case ReplyBuffer::Kind::map:
      case ReplyBuffer::Kind::push: break;
    }
    std::string list = token.kind == ReplyBuffer::Kind::array ? "["
                       : token.kind == ReplyBuffer::Kind::map ? "%["
                                                              : "~[";
    for (std::int64_t item = 0; item < ReplyBuffer::items_of(token); ++item) {
      if (item != 0) list += ' ';
      list += shown(place);
    }
    return list + "]";
  }

  Interpreter& interpreter_;
  Collation byte_order_{"C"};
  ReplyBuffer reply_;
};

}  // namespace cohsim::lua
