// Running scripts and functions: what they may do, and how long they take as others see it (script.c).
#include <fmt/format.h>

#include "lua/sha1.h"
#include "sim/valkey/script_runs.h"
#include "sim/valkey/server_state.h"
#include "sim/valkey/slots.h"

namespace cohsim::valkey {

namespace {

constexpr std::size_t first_key = 3;

bool needs_memory(const lua::Compiled& script) {
  return script.has_shebang && !script.flags.no_writes && !script.flags.allow_oom;
}

}  // namespace

bool needs_memory(ServerState& server, const Command& command, std::span<const std::string_view> args) {
  if (command.name.starts_with("FCALL")) {
    const lua::LibraryFunction* const function = server.libraries.find(args[1]);
    return function != nullptr && needs_memory({function->function, true, function->flags});
  }
  if (command.name.starts_with("EVALSHA")) {
    const CachedScript* const script = server.scripts.find(args[1]);
    return script != nullptr && needs_memory(script->compiled);
  }
  if (!command.name.starts_with("EVAL") || !args[1].starts_with("#!")) return false;
  const auto compiled = server.interpreter.compile(args[1], lua::sha1_hex(args[1]), server.personality().dialect);
  return std::holds_alternative<lua::Compiled>(compiled) && needs_memory(std::get<lua::Compiled>(compiled));
}

std::string_view ServerState::script_refusal(const lua::Compiled& script, const CommandCall& call) {
  const bool may_write = script.has_shebang && !script.flags.no_writes;
  if (script_out_of_memory_ && may_write) return errors::out_of_memory;  // in a transaction; else it was not admitted
  if (settings.cluster && script.flags.no_cluster) {
    return "ERR Can not run script on cluster, 'no-cluster' flag is set.";
  }
  if (may_write && call.command.name.ends_with("_RO")) {
    return "ERR Can not execute a script with write flag using *_ro command.";
  }
  return {};
}

void ServerState::run_script(const lua::Compiled& script, std::string_view name, std::size_t keys, CommandCall& call) {
  script_client_ = &call.client;
  script_call_ = &call;
  script_no_writes_ = script.flags.no_writes || call.command.name.ends_with("_RO");
  script_wrote_ = false;
  script_out_of_memory_ = config.maxmemory != 0 && !script.flags.allow_oom && is_out_of_memory();
  if (const std::string_view reason = script_refusal(script, call); !reason.empty()) return call.reply.error(reason);
  if (settings.cluster) {
    script_keeps_slot_ = script.has_shebang && !script.flags.allow_cross_slot_keys;
    script_slot_ = keys == 0 ? no_slot : key_slot(call.args[first_key]);
  }
  script_began_us_ = now_us;
  script_instructions_ = 0;
  script_slow_at_.clear();
  // Who is answered by `execute` cannot wait, so that its scripts take no time.
  const auto threshold_ms = static_cast<std::uint64_t>(config.busy_reply_threshold_ms);
  const bool reachable = threshold_ms <= settings.instruction_limit / settings.instructions_per_ms;
  script_patience_ = call.client.sends_bytes && reachable ? threshold_ms * settings.instructions_per_ms : 0;
  lua::ScriptCall run;
  run.function = script.function;
  run.dialect = personality().dialect;
  run.sha1 = name;
  run.keys = call.args.subspan(first_key, keys);
  run.arguments = call.args.subspan(first_key + keys);
  run.host = this;
  run.random = &random_;
  run.json = script.function.of_library ? &function_json_ : &json_;
  run.collation = collation_.get();
  run.instruction_limit = settings.instruction_limit;
  run.slow_after = personality().ticks_in_scripts ? 1 : script_patience_;
  lua::ScriptEnd end;
  interpreter.run(run, call.reply, end);
  script_client_ = nullptr;
  keyspace.select(call.client.database);
  now_us = script_began_us_;
  if (!script_slow_at_.empty()) become_slow(script, name, call);
  if (report != nullptr && end.endless) {
    report->endless = true;
    report->endless_at = std::move(end.endless_at);
  }
}

bool ServerState::goes_on(std::uint64_t instructions, std::string_view place) {
  script_instructions_ = instructions;
  if (script_patience_ != 0 && instructions >= script_patience_ && script_slow_at_.empty()) script_slow_at_ = place;
  return true;
}

void ServerState::become_slow(const lua::Compiled& script, std::string_view name, const CommandCall& call) {
  if (slow.runs) return;  // a transaction's first slow script stands for all
  slow.runs = true;
  slow.client = call.client.id;
  slow.began_us = now_us;
  slow.busy_us = now_us + config.busy_reply_threshold_ms * us_per_ms;
  slow.end_us = now_us + static_cast<std::int64_t>(script_instructions_ * us_per_ms / settings.instructions_per_ms);
  slow.of_function = script.function.of_library;
  slow.wrote = script_wrote_;
  slow.in_transaction = call.client.transaction.open;
  slow.name = name;
  slow.place = script_slow_at_;
  slow.command.assign(call.args.begin(), call.args.end());
}

std::string ServerState::busy_text() const {
  return fmt::format("{} You can only call {} KILL or SHUTDOWN NOSAVE.", personality().busy,
                     slow.of_function ? "FUNCTION" : "SCRIPT");
}

void ServerState::kill_script(CommandCall& call, bool of_function) {
  if (!slow.runs) return call.reply.error("NOTBUSY No scripts in execution right now.");
  if (slow.wrote) {
    return call.reply.error(
        "UNKILLABLE Sorry the script already executed write commands against the dataset. You can either wait the "
        "script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command.");
  }
  if (slow.of_function != of_function) return call.reply.error(call.reply.keep(busy_text()));
  slow.killed = true;
  call.reply.status("OK");
}

std::variant<std::shared_ptr<lua::FunctionLibrary>, lua::CompileError> ServerState::load_library(std::string_view body) {
  lua::LibraryLoad load;
  load.body = body;
  load.dialect = personality().dialect;
  load.host = this;
  load.random = &random_;
  load.json = &function_json_;
  load.collation = collation_.get();
  load.instruction_limit = settings.instruction_limit;
  return interpreter.load(load);
}

std::string_view ServerState::call_refusal(const Command* command, std::span<const std::string_view> args) {
  if (command == nullptr) return personality().unknown_in_script;
  if (!arity_fits(*command, args.size(), personality())) return personality().arity_in_script;
  if ((command->flags & flag_noscript) != 0 ||
      ((command->flags & (flag_blocking | flag_scripted)) == flag_blocking && personality().blocks_in_scripts_error)) {
    return "ERR This Redis command is not allowed from script";
  }
  if (script_no_writes_ && (command->flags & (flag_write | flag_replicates)) != 0) {
    return "ERR Write commands are not allowed from read-only scripts.";
  }
  if (script_out_of_memory_ && !script_wrote_ && (command->flags & flag_denyoom) != 0) return errors::out_of_memory;
  return slot_refusal(*command, args);
}

bool ServerState::call(std::span<const std::string_view> args, int resp, lua::ReplyBuffer& reply) {
  const Command* command = find_command(args[0]);
  if (command != nullptr && !command->subcommands.empty() && args.size() > 1) {
    command = find_subcommand(*command, args[1]);
  }
  if (command != nullptr && (command->flags & flag_valkey) != 0 && !personality().has_valkey_config) command = nullptr;
  if (const std::string_view reason = call_refusal(command, args); !reason.empty()) {
    reply.error(reason);
    return true;
  }
  if (command->run == nullptr) {
    reply.error(reply.keep(fmt::format("ERR '{}' is not simulated", command->name)));
    return false;
  }
  if (personality().ticks_in_scripts) {
    now_us = script_began_us_ +
             static_cast<std::int64_t>(script_instructions_ * us_per_ms / settings.instructions_per_ms);
  }
  if (report != nullptr) touch_keys(*command, args);
  running_args_ = args;
  if ((command->flags & flag_write) != 0) script_wrote_ = true;
  CommandCall call{*this, *command, *script_client_, args, reply, true, resp == 3 ? Protocol::resp3 : Protocol::resp2};
  command->run(call);
  if (!script_client_->tracking.on) return true;
  if (!personality().tracks_declared_keys) {
    remember_read(*script_client_, *command, args);
  } else if ((command->flags & (flag_write | flag_noscript)) == 0 && (command->keys.first != 0 || command->keys.count_at != 0)) {
    remember_keys(*script_client_, script_call_->command, script_call_->args);
  }
  return true;
}

std::string_view ServerState::slot_refusal(const Command& command, std::span<const std::string_view> args) {
  if (!settings.cluster) return {};
  const int slot = command_slot(command, args);
  if (slot == many_slots) return "ERR Script attempted to access a non local key in a cluster node";
  if (slot == no_slot || !script_keeps_slot_) return {};
  if (script_slot_ == no_slot) script_slot_ = slot;
  if (slot == script_slot_) return {};
  return "ERR Script attempted to access keys that do not hash to the same slot";
}

void ServerState::touch_keys(const Command& command, std::span<const std::string_view> args) {
  visit_keys(command, args, [&](std::string_view key) { report->keys_touched.emplace(key); });
}

}  // namespace cohsim::valkey
