// EVAL, EVALSHA, their _RO forms, SCRIPT (eval.c).
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

/// EVAL and its kin run a script; what they would do for a client that debugs is not simulated.
void run_cached(CommandCall& call, const CachedScript& script, std::size_t keys) {
  if (call.client.debugs_scripts) call.server.remember_not_simulated("a script that a client debugs", "");
  call.server.run_script(script.compiled, script.sha1, keys, call);
}

void run_eval(CommandCall& call) {
  const auto keys = read_key_count(call);
  if (!keys) return;
  const CachedScript* const script = compile(call, call.args[1], false);
  if (script != nullptr) run_cached(call, *script, *keys);
}

void run_evalsha(CommandCall& call) {
  // What cannot be a SHA1 is refused before the number of keys is looked at (eval.c, evalShaCommand).
  if (call.args[1].size() != 40) return call.reply.error(call.server.personality().no_script);
  const auto keys = read_key_count(call);
  if (!keys) return;
  const CachedScript* const script = call.server.scripts.find(call.args[1]);
  if (script == nullptr) return call.reply.error(call.server.personality().no_script);
  run_cached(call, *script, *keys);
}

void run_debug(CommandCall& call) {
  const std::string_view mode = call.args[2];
  if (call.client.transaction.open || call.client.pipelines) return call.reply.error("ERR SCRIPT DEBUG must be called outside a pipeline");
  if (!is_word(mode, "YES") && !is_word(mode, "SYNC") && !is_word(mode, "NO")) {
    return call.reply.error("ERR Use SCRIPT DEBUG YES/SYNC/NO");
  }
  call.client.debugs_scripts = !is_word(mode, "NO");
  call.reply.status("OK");
}

void run_exists(CommandCall& call) {
  call.reply.array(call.args.size() - 2);
  for (const std::string_view sha1 : call.args.subspan(2)) call.reply.integer(call.server.scripts.knows(sha1) ? 1 : 0);
}

void run_flush(CommandCall& call) {
  const bool known = call.args.size() == 2 ||
                     (call.args.size() == 3 && (is_word(call.args[2], "SYNC") || is_word(call.args[2], "ASYNC")));
  if (!known) return call.reply.error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
  call.server.flush_scripts();
  call.reply.status("OK");
}

void run_help(CommandCall& call) {
  std::vector<std::string_view> lines = {
      "SCRIPT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:", "DEBUG (YES|SYNC|NO)",
      "    Set the debug mode for subsequent scripts executed.", "EXISTS <sha1> [<sha1> ...]",
      "    Return information about the existence of the scripts in the script cache.", "FLUSH [ASYNC|SYNC]",
      "    Flush the Lua scripts cache. Very dangerous on replicas.",
      "    When called without the optional mode argument, the behavior is determined by the",
      "    lazyfree-lazy-user-flush configuration directive. Valid modes are:",
      "    * ASYNC: Asynchronously flush the scripts cache.", "    * SYNC: Synchronously flush the scripts cache.",
      "KILL", "    Kill the currently executing Lua script.", "LOAD <script>",
      "    Load a script into the scripts cache without executing it."};
  if (call.server.personality().has_valkey_config) {
    lines.insert(lines.end(), {"SHOW <sha1>", "    Show a script in the scripts cache."});
  }
  lines.insert(lines.end(), {"HELP", "    Prints this help."});
  call.reply.array(lines.size());
  for (const std::string_view line : lines) call.reply.status(line);
}

void run_kill(CommandCall& call) { call.server.kill_script(call, false); }

void run_load(CommandCall& call) {
  const CachedScript* const script = compile(call, call.args[2], true);
  if (script != nullptr) call.reply.bulk(script->sha1);
}

void run_show(CommandCall& call) {
  const std::string* const text = call.server.scripts.text(call.args[2]);
  if (text == nullptr) return call.reply.error(call.server.personality().no_script);
  call.reply.bulk(*text);
}

constexpr std::array subcommands = {
    Command{"SCRIPT|DEBUG", 3, flag_noscript, no_keys, run_debug},
    Command{"SCRIPT|EXISTS", -3, flag_noscript, no_keys, run_exists},
    Command{"SCRIPT|FLUSH", -2, flag_noscript, no_keys, run_flush},
    Command{"SCRIPT|HELP", 2, flag_none, no_keys, run_help},
    Command{"SCRIPT|KILL", 2, flag_noscript | flag_allow_busy, no_keys, run_kill},
    Command{"SCRIPT|LOAD", 3, flag_noscript, no_keys, run_load},
    Command{"SCRIPT|SHOW", 3, flag_noscript | flag_valkey, no_keys, run_show},
};

constexpr KeyPositions counted_keys{0, 0, 0, 2};

constexpr std::array table = {
    Command{"EVAL", -3, flag_noscript, counted_keys, run_eval},
    Command{"EVALSHA", -3, flag_noscript, counted_keys, run_evalsha},
    Command{"EVALSHA_RO", -3, flag_noscript, counted_keys, run_evalsha},
    Command{"EVAL_RO", -3, flag_noscript, counted_keys, run_eval},
    Command{"SCRIPT", -2, flag_none, no_keys, nullptr, subcommands},
};

}  // namespace

std::span<const Command> script_commands() { return table; }

}  // namespace cohsim::valkey
