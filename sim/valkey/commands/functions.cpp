// FUNCTION, FCALL, FCALL_RO (functions.c).
#include <fmt/format.h>

#include <array>

#include "sim/valkey/command.h"
#include "sim/valkey/glob.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

void run_fcall(CommandCall& call) {
  const lua::LibraryFunction* const function = call.server.libraries.find(call.args[1]);
  if (function == nullptr) return call.reply.error("ERR Function not found");
  const auto keys = read_integer(call.args[2]);
  if (!keys) return call.reply.error("ERR Bad number of keys provided");
  if (*keys > static_cast<std::int64_t>(call.args.size() - 3)) {
    return call.reply.error("ERR Number of keys can't be greater than number of args");
  }
  if (*keys < 0) return call.reply.error("ERR Number of keys can't be negative");
  const lua::Compiled compiled{function->function, true, function->flags};
  call.server.run_script(compiled, function->name, static_cast<std::size_t>(*keys), call);
}

/// Whether two functions of a library share a name but for the case of letters, which breaks real servers.
bool has_twins(const lua::FunctionLibrary& library) {
  std::map<std::string, int> names;
  for (const lua::LibraryFunction& function : library.functions()) {
    if (++names[lower_case(function.name)] > 1) return true;
  }
  return false;
}

void run_load(CommandCall& call) {
  bool replaces = false;
  for (const std::string_view option : call.args.subspan(2, call.args.size() - 3)) {
    if (!replaces && is_word(option, "REPLACE")) {
      replaces = true;
    } else {
      std::string_view shown = option;  // the server cuts line ends behind its errors
      while (shown.ends_with('\r') || shown.ends_with('\n')) shown.remove_suffix(1);
      return call.reply.error(call.reply.keep(fmt::format("ERR Unknown option given: {}", c_text(shown))));
    }
  }
  auto read = lua::read_library_head(call.args.back());
  if (auto* const refused = std::get_if<lua::CompileError>(&read)) {
    return call.reply.error(call.reply.keep(std::move(refused->reply)));
  }
  const lua::LibraryHead& head = std::get<lua::LibraryHead>(read);
  if (!is_word(head.engine, "LUA")) {
    return call.reply.error(call.reply.keep(fmt::format("ERR Engine '{}' not found", c_text(head.engine))));
  }
  Libraries& libraries = call.server.libraries;
  if (!replaces && libraries.knows(head.name)) {
    return call.reply.error(call.reply.keep(fmt::format("ERR Library '{}' already exists", head.name)));
  }
  auto loaded = call.server.load_library(head.body);
  if (auto* const refused = std::get_if<lua::CompileError>(&loaded)) {
    return call.reply.error(call.reply.keep(std::move(refused->reply)));
  }
  Library library{std::string(call.args.back()), std::get<std::shared_ptr<lua::FunctionLibrary>>(std::move(loaded))};
  if (const lua::LibraryFunction* const clash = libraries.clash(head.name, *library.loaded)) {
    return call.reply.error(call.reply.keep(fmt::format("ERR Function {} already exists", clash->name)));
  }
  if (has_twins(*library.loaded)) call.server.remember_not_simulated("a library with functions named alike", "");
  libraries.put(head.name, std::move(library));
  call.reply.bulk(call.reply.keep(head.name));
}

void reply_function(CommandCall& call, const lua::LibraryFunction& function) {
  const std::array<std::pair<bool, std::string_view>, 5> flags = {{
      {function.flags.no_writes, "no-writes"},
      {function.flags.allow_oom, "allow-oom"},
      {function.flags.allow_stale, "allow-stale"},
      {function.flags.no_cluster, "no-cluster"},
      {function.flags.allow_cross_slot_keys, "allow-cross-slot-keys"},
  }};
  call.reply.map(3);
  call.reply.bulk("name");
  call.reply.bulk(function.name);
  call.reply.bulk("description");
  if (function.description) {
    call.reply.bulk(*function.description);
  } else {
    call.reply.nil();
  }
  std::size_t set = 0;
  for (const auto& flag : flags) set += flag.first ? 1 : 0;
  call.reply.bulk("flags");
  call.reply.set(set);
  for (const auto& [is_set, name] : flags) {
    if (is_set) call.reply.status(name);
  }
}

void run_list(CommandCall& call) {
  bool with_code = false;
  std::optional<std::string> pattern;  // which does not regard case
  for (std::size_t place = 2; place < call.args.size(); ++place) {
    const std::string_view option = call.args[place];
    if (!with_code && is_word(option, "WITHCODE")) {
      with_code = true;
    } else if (!pattern && is_word(option, "LIBRARYNAME")) {
      if (++place == call.args.size()) return call.reply.error("ERR library name argument was not given");
      pattern = lower_case(call.args[place]);
    } else {
      return call.reply.error(call.reply.keep(fmt::format("ERR Unknown argument {}", c_text(option))));
    }
  }
  std::vector<const Libraries::ByName::value_type*> chosen;
  for (const auto& entry : call.server.libraries.all()) {
    if (!pattern || glob_matches(*pattern, lower_case(entry.first))) chosen.push_back(&entry);
  }
  call.reply.array(chosen.size());
  for (const auto* const entry : chosen) {
    call.reply.map(with_code ? 4 : 3);
    call.reply.bulk("library_name");
    call.reply.bulk(entry->first);
    call.reply.bulk("engine");
    call.reply.bulk("LUA");
    call.reply.bulk("functions");
    call.reply.array(entry->second.loaded->functions().size());
    for (const lua::LibraryFunction& function : entry->second.loaded->functions()) reply_function(call, function);
    if (!with_code) continue;
    call.reply.bulk("library_code");
    call.reply.bulk(entry->second.code);
  }
}

void run_stats(CommandCall& call) {
  const SlowScript& slow = call.server.slow;
  if (slow.runs && !slow.of_function) return call.reply.error(call.reply.keep(call.server.busy_text()));
  call.reply.map(2);
  call.reply.bulk("running_script");
  if (slow.runs) {
    call.reply.map(3);
    call.reply.bulk("name");
    call.reply.bulk(slow.name);
    call.reply.bulk("command");
    call.reply.array(slow.command.size());
    for (const std::string& word : slow.command) call.reply.bulk(word);
    call.reply.bulk("duration_ms");
    call.reply.integer((call.server.now_us - slow.began_us) / us_per_ms);
  } else {
    call.reply.nil();
  }
  call.reply.bulk("engines");
  call.reply.map(1);
  call.reply.bulk("LUA");
  call.reply.map(2);
  call.reply.bulk("libraries_count");
  call.reply.integer(static_cast<std::int64_t>(call.server.libraries.all().size()));
  call.reply.bulk("functions_count");
  call.reply.integer(static_cast<std::int64_t>(call.server.libraries.function_count()));
}

void run_delete(CommandCall& call) {
  if (!call.server.libraries.erase(call.args[2])) return call.reply.error("ERR Library not found");
  call.reply.status("OK");
}

void run_flush(CommandCall& call) {
  if (call.args.size() > 3) return call.server.wrong_subcommand(call);
  if (call.args.size() == 3 && !is_word(call.args[2], "SYNC") && !is_word(call.args[2], "ASYNC")) {
    return call.reply.error("ERR FUNCTION FLUSH only supports SYNC|ASYNC option");
  }
  call.server.libraries.clear();
  call.reply.status("OK");
}

void run_help(CommandCall& call) {
  reply_lines(
      call,
      {"FUNCTION <subcommand> [<arg> [value] [opt] ...]. Subcommands are:", "LOAD [REPLACE] <FUNCTION CODE>",
       "    Create a new library with the given library name and code.", "DELETE <LIBRARY NAME>",
       "    Delete the given library.", "LIST [LIBRARYNAME PATTERN] [WITHCODE]",
       "    Return general information on all the libraries:", "    * Library name",
       "    * The engine used to run the Library", "    * Library description", "    * Functions list",
       "    * Library code (if WITHCODE is given)",
       "    It also possible to get only function that matches a pattern using LIBRARYNAME argument.", "STATS",
       "    Return information about the current function running:", "    * Function name",
       "    * Command used to run the function", "    * Duration in MS that the function is running",
       "    If no function is running, return nil", "    In addition, returns a list of available engines.", "KILL",
       "    Kill the current running function.", "FLUSH [ASYNC|SYNC]", "    Delete all the libraries.",
       "    When called without the optional mode argument, the behavior is determined by the",
       "    lazyfree-lazy-user-flush configuration directive. Valid modes are:",
       "    * ASYNC: Asynchronously flush the libraries.", "    * SYNC: Synchronously flush the libraries.", "DUMP",
       "    Return a serialized payload representing the current libraries, can be restored using FUNCTION RESTORE "
       "command",
       "RESTORE <PAYLOAD> [FLUSH|APPEND|REPLACE]",
       "    Restore the libraries represented by the given payload, it is possible to give a restore policy to",
       "    control how to handle existing libraries (default APPEND):",
       "    * FLUSH: delete all existing libraries.",
       "    * APPEND: appends the restored libraries to the existing libraries. On collision, abort.",
       "    * REPLACE: appends the restored libraries to the existing libraries, On collision, replace the old",
       "      libraries with the new libraries (notice that even on this option there is a chance of failure",
       "      in case of functions name collision with another library).", "HELP", "    Prints this help."});
}

void run_kill(CommandCall& call) { call.server.kill_script(call, true); }

constexpr std::array subcommands = {
    Command{"FUNCTION|DELETE", 3, flag_write | flag_noscript, no_keys, run_delete},
    Command{"FUNCTION|DUMP", 2, flag_noscript},
    Command{"FUNCTION|FLUSH", -2, flag_write | flag_noscript, no_keys, run_flush},
    Command{"FUNCTION|HELP", 2, flag_none, no_keys, run_help},
    Command{"FUNCTION|KILL", 2, flag_noscript | flag_allow_busy, no_keys, run_kill},
    Command{"FUNCTION|LIST", -2, flag_noscript, no_keys, run_list},
    Command{"FUNCTION|LOAD", -3, flag_write | flag_denyoom | flag_noscript, no_keys, run_load},
    Command{"FUNCTION|RESTORE", -3, flag_write | flag_denyoom | flag_noscript},
    Command{"FUNCTION|STATS", 2, flag_noscript | flag_allow_busy, no_keys, run_stats},
};

constexpr KeyPositions counted_keys{0, 0, 0, 2};

constexpr std::array table = {
    Command{"FCALL", -3, flag_noscript, counted_keys, run_fcall},
    Command{"FCALL_RO", -3, flag_noscript, counted_keys, run_fcall},
    Command{"FUNCTION", -2, flag_none, no_keys, nullptr, subcommands},
};

}  // namespace

std::span<const Command> function_commands() { return table; }

}  // namespace cohsim::valkey
