// EVAL, EVALSHA, SCRIPT (eval.c).
#include <array>
#include <fmt/format.h>

#include "sim/valkey/command.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

/// The number of keys; writes the error and answers nothing where it is none.
std::optional<std::size_t> read_key_count(CommandCall& call) {
  const auto count = read_integer(call.args[2]);
  if (!count) {
    call.reply.error(errors::not_integer);
  } else if (*count > static_cast<std::int64_t>(call.args.size() - 3)) {
    call.reply.error("ERR Number of keys can't be greater than number of args");
  } else if (*count < 0) {
    call.reply.error("ERR Number of keys can't be negative");
  } else {
    return static_cast<std::size_t>(*count);
  }
  return std::nullopt;
}

/// The compiled text; writes the error and answers null where it does not compile.
const CachedScript* compile(CommandCall& call, std::string_view text, bool pinned) {
  auto added = call.server.scripts.add(text, pinned);
  if (auto* const error = std::get_if<lua::CompileError>(&added)) {
    call.reply.error(call.reply.keep(std::move(error->reply)));
    return nullptr;
  }
  return std::get<const CachedScript*>(added);
}

void wrong_arity(CommandCall& call, std::string_view subcommand) {
  call.reply.error(call.reply.keep(fmt::format("ERR wrong number of arguments for 'script|{}' command", subcommand)));
}

void script_load(CommandCall& call) {
  if (call.args.size() != 3) return wrong_arity(call, "load");
  const CachedScript* const script = compile(call, call.args[2], true);
  if (script != nullptr) call.reply.bulk(script->sha1);
}

void script_exists(CommandCall& call) {
  if (call.args.size() < 3) return wrong_arity(call, "exists");
  call.reply.array(call.args.size() - 2);
  for (const std::string_view sha1 : call.args.subspan(2)) call.reply.integer(call.server.scripts.knows(sha1) ? 1 : 0);
}

void script_flush(CommandCall& call) {
  const bool known = call.args.size() == 2 ||
                     (call.args.size() == 3 && (is_word(call.args[2], "SYNC") || is_word(call.args[2], "ASYNC")));
  if (!known) return call.reply.error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
  call.server.flush_scripts();
  call.reply.status("OK");
}

void run_eval(CommandCall& call) {
  const auto keys = read_key_count(call);
  if (!keys) return;
  const CachedScript* const script = compile(call, call.args[1], false);
  if (script != nullptr) call.server.run_script(*script, *keys, call);
}

void run_evalsha(CommandCall& call) {
  // What cannot be a SHA1 is refused before the number of keys is looked at (eval.c, evalShaCommand).
  if (call.args[1].size() != 40) return call.reply.error(call.server.personality().no_script);
  const auto keys = read_key_count(call);
  if (!keys) return;
  const CachedScript* const script = call.server.scripts.find(call.args[1]);
  if (script == nullptr) return call.reply.error(call.server.personality().no_script);
  call.server.run_script(*script, *keys, call);
}

void run_script(CommandCall& call) {
  const std::string_view subcommand = call.args[1];
  if (is_word(subcommand, "LOAD")) return script_load(call);
  if (is_word(subcommand, "EXISTS")) return script_exists(call);
  if (is_word(subcommand, "FLUSH")) return script_flush(call);
  if (is_word(subcommand, "KILL") && call.args.size() == 2) {
    return call.reply.error("NOTBUSY No scripts in execution right now.");
  }
  for (const std::string_view known : {"HELP", "KILL", "DEBUG", "SHOW"}) {
    if (!is_word(subcommand, known)) continue;
    const std::string name = fmt::format("SCRIPT {}", known);
    call.server.remember_not_simulated(name, "");
    return call.reply.error(call.reply.keep(fmt::format("ERR '{}' is not simulated", name)));
  }
  const std::string shown(subcommand.substr(0, 128));
  call.reply.error(call.reply.keep(fmt::format("ERR unknown subcommand '{}'. Try SCRIPT HELP.", shown)));
}

constexpr std::array table = {
    Command{"EVAL", -3, flag_noscript, {0, 0, 0, 2}, run_eval},
    Command{"EVALSHA", -3, flag_noscript, {0, 0, 0, 2}, run_evalsha},
    Command{"SCRIPT", -2, flag_noscript | flag_allow_busy, no_keys, run_script},
};

}  // namespace

std::span<const Command> script_commands() { return table; }

}  // namespace cohsim::valkey
