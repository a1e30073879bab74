// CONFIG (config.c).
#include <array>
#include <fmt/format.h>
#include <set>

#include "sim/valkey/command.h"
#include "sim/valkey/glob.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

void run_get(CommandCall& call) {
  const Config& config = call.server.config;
  std::set<std::string, std::less<>> told;
  const std::size_t place = call.reply.size();
  call.reply.map(0);
  const auto add = [&](std::string_view name, std::size_t entry) {
    if (!told.insert(lower_case(name)).second) return;
    call.reply.bulk(name);
    call.reply.bulk(call.reply.keep(config.value(entry)));
  };
  for (const std::string_view pattern : call.args.subspan(2)) {
    if (pattern.find_first_of("[*?") == std::string_view::npos) {
      if (const auto entry = config.find(pattern)) add(pattern, *entry);
      continue;
    }
    const std::string lower = lower_case(pattern);
    for (std::size_t entry = 0; entry < Config::entries().size(); ++entry) {
      const ConfigEntry& known = Config::entries()[entry];
      if (!config.has(entry)) continue;
      if (glob_matches(lower, known.name)) add(known.name, entry);
      if (!known.alias.empty() && glob_matches(lower, known.alias)) add(known.alias, entry);
    }
  }
  call.reply.set_items(place, told.size());
}

void fail(CommandCall& call, std::string_view name, std::string_view reason) {
  call.reply.error(call.reply.keep(
      fmt::format("ERR CONFIG SET failed (possibly related to argument '{}') - {}", c_text(name), reason)));
}

/// All values are taken, or none.
void run_set(CommandCall& call) {
  Config& config = call.server.config;
  if (call.args.size() % 2 != 0) return call.reply.error(errors::syntax);
  std::vector<std::size_t> places;
  for (std::size_t at = 2; at < call.args.size(); at += 2) {
    const auto place = config.find(call.args[at]);
    if (!place) {
      return call.reply.error(call.reply.keep(
          fmt::format("ERR Unknown option or number of arguments for CONFIG SET - '{}'", c_text(call.args[at]))));
    }
    places.push_back(*place);
  }
  std::set<std::string> names;
  for (std::size_t at = 2; at < call.args.size(); at += 2) {
    if (Config::entries()[places[at / 2 - 1]].immutable) {
      return fail(call, call.args[at], "can't set immutable config");
    }
    if (!names.insert(lower_case(call.args[at])).second) return fail(call, call.args[at], "duplicate parameter");
  }
  for (std::size_t at = 2; at < call.args.size(); at += 2) {
    const std::string reason = config.check(places[at / 2 - 1], call.args[at + 1]);
    if (!reason.empty()) return fail(call, call.args[at], reason);
  }
  call.server.before_config_change();
  for (std::size_t at = 2; at < call.args.size(); at += 2) {
    const bool collation = Config::entries()[places[at / 2 - 1]].name == "locale-collate";
    if (collation && !call.server.set_collation(std::string(call.args[at + 1]))) {
      return fail(call, call.args[at], "Invalid locale name");
    }
    config.set(places[at / 2 - 1], call.args[at + 1]);
  }
  call.reply.status("OK");
}

void run_resetstat(CommandCall& call) {
  call.server.commands_run = 0;
  call.reply.status("OK");
}

void run_rewrite(CommandCall& call) { call.reply.error("ERR The server is running without a config file"); }

void run_help(CommandCall& call) {
  reply_lines(call, {"CONFIG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:", "GET <pattern>",
                     "    Return parameters matching the glob-like <pattern> and their values.",
                     "SET <directive> <value>", "    Set the configuration <directive> to <value>.", "RESETSTAT",
                     "    Reset statistics reported by the INFO command.", "REWRITE",
                     "    Rewrite the configuration file.", "HELP", "    Prints this help."});
}

constexpr std::array config_table = {
    Command{"CONFIG|GET", -3, flag_noscript, no_keys, run_get},
    Command{"CONFIG|HELP", 2, flag_none, no_keys, run_help},
    Command{"CONFIG|RESETSTAT", 2, flag_noscript, no_keys, run_resetstat},
    Command{"CONFIG|REWRITE", 2, flag_noscript, no_keys, run_rewrite},
    Command{"CONFIG|SET", -4, flag_noscript, no_keys, run_set},
};

constexpr std::array table = {
    Command{"CONFIG", -2, flag_noscript, no_keys, nullptr, config_table},
};

}  // namespace

std::span<const Command> config_commands() { return table; }

}  // namespace cohsim::valkey
