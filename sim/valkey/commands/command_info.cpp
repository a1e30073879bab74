// COMMAND: what the server knows of its commands (server.c). Flags, categories and key specifications are those that
// the table of this server can tell; a real one has more.
#include <array>
#include <fmt/format.h>

#include "sim/valkey/command.h"
#include "sim/valkey/commands/help.h"
#include "sim/valkey/glob.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

bool has_keys(const Command& command) {
  return command.keys.first != 0 || command.keys.count_at != 0 || !command.keys.half_behind.empty();
}

bool writes(const Command& command) { return (command.flags & flag_write) != 0; }

/// "GET" or "CONFIG|GET"; null where there is none.
const Command* find_by_path(std::string_view path) {
  const std::size_t bar = path.find('|');
  const Command* const command = find_command(path.substr(0, bar));
  if (command == nullptr || bar == std::string_view::npos) return command;
  return find_subcommand(*command, path.substr(bar + 1));
}

void reply_status_set(CommandCall& call, const std::vector<std::string_view>& words) {
  call.reply.set(words.size());
  for (const std::string_view word : words) call.reply.status(word);
}

void reply_flags(CommandCall& call, const Command& command) {
  struct Named {
    int flag;
    std::string_view name;
  };
  static constexpr std::array named = {
      Named{flag_write, "write"},       Named{flag_denyoom, "denyoom"}, Named{flag_noscript, "noscript"},
      Named{flag_blocking, "blocking"}, Named{flag_no_auth, "no_auth"}, Named{flag_allow_busy, "allow_busy"},
      Named{flag_no_multi, "no_multi"},
  };
  std::vector<std::string_view> words;
  for (const Named& entry : named) {
    if ((command.flags & entry.flag) != 0) words.push_back(entry.name);
  }
  if (has_keys(command) && !writes(command)) words.insert(words.begin(), "readonly");
  if (command.keys.count_at != 0 || !command.keys.half_behind.empty()) words.emplace_back("movablekeys");
  reply_status_set(call, words);
}

void reply_categories(CommandCall& call, const Command& command) {
  std::vector<std::string_view> words;
  if (writes(command)) words.emplace_back("@write");
  if (has_keys(command) && !writes(command)) words.emplace_back("@read");
  if ((command.flags & flag_blocking) != 0) words.emplace_back("@blocking");
  reply_status_set(call, words);
}

void reply_number(CommandCall& call, std::string_view name, int value) {
  call.reply.bulk(name);
  call.reply.integer(value);
}

/// How keys are found, up to the places where to begin.
void begin_key_spec(CommandCall& call, const Command& command, std::string_view type) {
  call.reply.map(3);
  call.reply.bulk("flags");
  const std::string_view access = writes(command) ? "RW" : "RO";
  std::vector<std::string_view> flags = {access, "access"};
  if (writes(command)) flags.emplace_back("update");
  reply_status_set(call, flags);
  call.reply.bulk("begin_search");
  call.reply.map(2);
  call.reply.bulk("type");
  call.reply.bulk(type);
  call.reply.bulk("spec");
}

void find_in_range(CommandCall& call, int last, int step, int limit) {
  call.reply.bulk("find_keys");
  call.reply.map(2);
  call.reply.bulk("type");
  call.reply.bulk("range");
  call.reply.bulk("spec");
  call.reply.map(3);
  reply_number(call, "lastkey", last);
  reply_number(call, "keystep", step);
  reply_number(call, "limit", limit);
}

void begin_at(CommandCall& call, const Command& command, int place) {
  begin_key_spec(call, command, "index");
  call.reply.map(1);
  reply_number(call, "index", place);
}

void reply_key_specs(CommandCall& call, const Command& command) {
  const KeyPositions& keys = command.keys;
  const bool by_word = !keys.half_behind.empty();
  call.reply.set((keys.first != 0 ? 1U : 0U) + (keys.count_at != 0 ? 1U : 0U) + (by_word ? 1U : 0U));
  if (keys.first != 0) {
    begin_at(call, command, keys.first);
    find_in_range(call, keys.last < 0 ? keys.last : keys.last - keys.first, keys.step, 0);
  }
  if (keys.count_at != 0) {
    begin_at(call, command, keys.count_at);
    call.reply.bulk("find_keys");
    call.reply.map(2);
    call.reply.bulk("type");
    call.reply.bulk("keynum");
    call.reply.bulk("spec");
    call.reply.map(3);
    reply_number(call, "keynumidx", 0);
    reply_number(call, "firstkey", 1);
    reply_number(call, "keystep", 1);
  }
  if (by_word) {
    begin_key_spec(call, command, "keyword");
    call.reply.map(2);
    call.reply.bulk("keyword");
    call.reply.bulk(keys.half_behind);
    reply_number(call, "startfrom", 1);
    find_in_range(call, -1, 1, 2);
  }
}

void reply_info(CommandCall& call, const Command& command) {
  call.reply.array(10);
  call.reply.bulk(call.reply.keep(lower_case(command.name)));
  call.reply.integer(command.arity);
  reply_flags(call, command);
  call.reply.integer(command.keys.first);
  call.reply.integer(command.keys.last);
  call.reply.integer(command.keys.step);
  reply_categories(call, command);
  call.reply.set(0);  // tips
  reply_key_specs(call, command);
  call.reply.set(command.subcommands.size());
  for (const Command& subcommand : command.subcommands) reply_info(call, subcommand);
}

/// COMMAND, and COMMAND INFO without names.
void run_all(CommandCall& call) {
  const std::vector<const Command*> all = all_commands();
  call.reply.array(all.size());
  for (const Command* const command : all) reply_info(call, *command);
}

void run_info_of(CommandCall& call) {
  if (call.args.size() == 2) return run_all(call);
  call.reply.array(call.args.size() - 2);
  for (const std::string_view name : call.args.subspan(2)) {
    const Command* const command = find_by_path(name);
    if (command == nullptr) {
      call.reply.nil();
    } else {
      reply_info(call, *command);
    }
  }
}

void reply_docs(CommandCall& call, const Command& command) {
  const std::string name = lower_case(command.name);
  call.reply.bulk(call.reply.keep(name));
  const bool contains = !command.subcommands.empty();
  call.reply.map(contains ? 2 : 1);
  call.reply.bulk("summary");
  call.reply.bulk(call.reply.keep(fmt::format("{} {}", command.run != nullptr || contains ? "Simulated:" : "Not simulated:",
                                              name)));
  if (!contains) return;
  call.reply.bulk("subcommands");
  call.reply.map(command.subcommands.size());
  for (const Command& subcommand : command.subcommands) reply_docs(call, subcommand);
}

void run_docs(CommandCall& call) {
  std::vector<const Command*> told;
  if (call.args.size() == 2) told = all_commands();
  for (const std::string_view name : call.args.subspan(2)) {
    if (const Command* const command = find_by_path(name)) told.push_back(command);
  }
  call.reply.map(told.size());
  for (const Command* const command : told) reply_docs(call, *command);
}

void run_count(CommandCall& call) { call.reply.integer(static_cast<std::int64_t>(all_commands().size())); }

/// Names in their order, where a real server has that of its hash table; no modules, no categories.
void run_list(CommandCall& call) {
  std::string_view pattern = "*";
  if (call.args.size() != 2) {
    if (call.args.size() != 5 || !is_word(call.args[2], "FILTERBY")) return call.reply.error(errors::syntax);
    if (is_word(call.args[3], "MODULE")) return call.reply.array(0);
    if (is_word(call.args[3], "ACLCAT")) {
      call.server.remember_not_simulated("COMMAND LIST FILTERBY ACLCAT", "");
      return call.reply.error("ERR 'COMMAND LIST FILTERBY ACLCAT' is not simulated");
    }
    if (!is_word(call.args[3], "PATTERN")) return call.reply.error(errors::syntax);
    pattern = call.args[4];
  }
  const std::string lower = lower_case(pattern);
  const std::size_t place = call.reply.size();
  call.reply.array(0);
  std::size_t found = 0;
  for (const Command* const command : all_commands()) {
    const std::string name = lower_case(command->name);
    if (!glob_matches(lower, name)) continue;
    call.reply.bulk(call.reply.keep(name));
    ++found;
  }
  call.reply.set_items(place, found);
}

void run_getkeys(CommandCall& call) {
  const auto args = call.args.subspan(2);
  const Command* command = find_command(args[0]);
  if (command != nullptr && !command->subcommands.empty() && args.size() > 1) command = find_subcommand(*command, args[1]);
  if (command == nullptr) return call.reply.error("ERR Invalid command specified");
  if (!has_keys(*command)) return call.reply.error("ERR The command has no key arguments");
  if (!arity_fits(*command, args.size(), call.server.personality())) {
    return call.reply.error("ERR Invalid number of arguments specified for command");
  }
  const std::size_t place = call.reply.size();
  call.reply.array(0);
  std::size_t found = 0;
  visit_keys(*command, args, [&](std::string_view key) {
    call.reply.bulk(key);
    ++found;
  });
  // Only scripts and functions may do without any key.
  const int count_at = command->keys.count_at;
  const bool may_lack = command->name.starts_with("EVAL") || command->name.starts_with("FCALL");
  if (count_at != 0 && found <= (command->keys.first != 0 ? 1U : 0U) &&
      !(may_lack && args[static_cast<std::size_t>(count_at)] == "0")) {
    call.reply.cut(place);
    return call.reply.error("ERR Invalid arguments specified for command");
  }
  call.reply.set_items(place, found);
}

constexpr std::array subcommands = {
    Command{"COMMAND|COUNT", 2, flag_none, no_keys, run_count},
    Command{"COMMAND|DOCS", -2, flag_none, no_keys, run_docs},
    Command{"COMMAND|GETKEYS", -4, flag_none, no_keys, run_getkeys},
    Command{"COMMAND|GETKEYSANDFLAGS", -4},
    Command{"COMMAND|HELP", 2, flag_none, no_keys, run_container_help},
    Command{"COMMAND|INFO", -2, flag_none, no_keys, run_info_of},
    Command{"COMMAND|LIST", -2, flag_none, no_keys, run_list},
};

constexpr std::array table = {
    Command{"COMMAND", -1, flag_none, no_keys, run_all, subcommands},
};

}  // namespace

std::span<const Command> command_commands() { return table; }

}  // namespace cohsim::valkey
