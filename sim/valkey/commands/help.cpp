// What the containers answer to HELP that have it nowhere else.
#include <algorithm>
#include <array>

#include "sim/valkey/commands/help.h"

namespace cohsim::valkey {

namespace {

struct Help {
  std::string_view name;   ///< of the subcommand
  std::string_view lines;  ///< one behind the other
};

// long because: it is the texts.
constexpr std::array texts = {
    Help{"ACL|HELP",
         "ACL <subcommand> [<arg> [value] [opt] ...]. Subcommands are:\n"
         "CAT [<category>]\n"
         "    List all commands that belong to <category>, or all command categories\n"
         "    when no category is specified.\n"
         "DELUSER <username> [<username> ...]\n"
         "    Delete a list of users.\n"
         "DRYRUN <username> <command> [<arg> ...]\n"
         "    Returns whether the user can execute the given command without executing the command.\n"
         "GETUSER <username>\n"
         "    Get the user's details.\n"
         "GENPASS [<bits>]\n"
         "    Generate a secure 256-bit user password. The optional `bits` argument can\n"
         "    be used to specify a different size.\n"
         "LIST\n"
         "    Show users details in config file format.\n"
         "LOAD\n"
         "    Reload users from the ACL file.\n"
         "LOG [<count> | RESET]\n"
         "    Show the ACL log entries.\n"
         "SAVE\n"
         "    Save the current config to the ACL file.\n"
         "SETUSER <username> <attribute> [<attribute> ...]\n"
         "    Create or modify a user with the specified attributes.\n"
         "USERS\n"
         "    List all the registered usernames.\n"
         "WHOAMI\n"
         "    Return the current connection username.\n"
         "HELP\n"
         "    Prints this help."},
    Help{"COMMAND|HELP",
         "COMMAND <subcommand> [<arg> [value] [opt] ...]. Subcommands are:\n"
         "(no subcommand)\n"
         "    Return details about all Redis commands.\n"
         "COUNT\n"
         "    Return the total number of commands in this Redis server.\n"
         "LIST\n"
         "    Return a list of all commands in this Redis server.\n"
         "INFO [<command-name> ...]\n"
         "    Return details about multiple Redis commands.\n"
         "    If no command names are given, documentation details for all\n"
         "    commands are returned.\n"
         "DOCS [<command-name> ...]\n"
         "    Return documentation details about multiple Redis commands.\n"
         "    If no command names are given, documentation details for all\n"
         "    commands are returned.\n"
         "GETKEYS <full-command>\n"
         "    Return the keys from a full Redis command.\n"
         "GETKEYSANDFLAGS <full-command>\n"
         "    Return the keys and the access flags from a full Redis command.\n"
         "HELP\n"
         "    Prints this help."},
    Help{"LATENCY|HELP",
         "LATENCY <subcommand> [<arg> [value] [opt] ...]. Subcommands are:\n"
         "DOCTOR\n"
         "    Return a human readable latency analysis report.\n"
         "GRAPH <event>\n"
         "    Return an ASCII latency graph for the <event> class.\n"
         "HISTORY <event>\n"
         "    Return time-latency samples for the <event> class.\n"
         "LATEST\n"
         "    Return the latest latency samples for all events.\n"
         "RESET [<event> ...]\n"
         "    Reset latency data of one or more <event> classes.\n"
         "    (default: reset all data for all event classes)\n"
         "HISTOGRAM [COMMAND ...]\n"
         "    Return a cumulative distribution of latencies in the format of a histogram for the specified "
         "command names.\n"
         "    If no commands are specified then all histograms are replied.\n"
         "HELP\n"
         "    Prints this help."},
    Help{"MEMORY|HELP",
         "MEMORY <subcommand> [<arg> [value] [opt] ...]. Subcommands are:\n"
         "DOCTOR\n"
         "    Return memory problems reports.\n"
         "MALLOC-STATS\n"
         "    Return internal statistics report from the memory allocator.\n"
         "PURGE\n"
         "    Attempt to purge dirty pages for reclamation by the allocator.\n"
         "STATS\n"
         "    Return information about the memory usage of the server.\n"
         "USAGE <key> [SAMPLES <count>]\n"
         "    Return memory in bytes used by <key> and its value. Nested values are\n"
         "    sampled up to <count> times (default: 5, 0 means sample all).\n"
         "HELP\n"
         "    Prints this help."},
    Help{"MODULE|HELP",
         "MODULE <subcommand> [<arg> [value] [opt] ...]. Subcommands are:\n"
         "LIST\n"
         "    Return a list of loaded modules.\n"
         "LOAD <path> [<arg> ...]\n"
         "    Load a module library from <path>, passing to it any optional arguments.\n"
         "LOADEX <path> [[CONFIG NAME VALUE] [CONFIG NAME VALUE]] [ARGS ...]\n"
         "    Load a module library from <path>, while passing it module configurations and optional arguments.\n"
         "UNLOAD <name>\n"
         "    Unload a module.\n"
         "HELP\n"
         "    Prints this help."},
    Help{"XGROUP|HELP",
         "XGROUP <subcommand> [<arg> [value] [opt] ...]. Subcommands are:\n"
         "CREATE <key> <groupname> <id|$> [option]\n"
         "    Create a new consumer group. Options are:\n"
         "    * MKSTREAM\n"
         "      Create the empty stream if it does not exist.\n"
         "    * ENTRIESREAD entries_read\n"
         "      Set the group's entries_read counter (internal use).\n"
         "CREATECONSUMER <key> <groupname> <consumer>\n"
         "    Create a new consumer in the specified group.\n"
         "DELCONSUMER <key> <groupname> <consumer>\n"
         "    Remove the specified consumer.\n"
         "DESTROY <key> <groupname>\n"
         "    Remove the specified group.\n"
         "SETID <key> <groupname> <id|$> [ENTRIESREAD entries_read]\n"
         "    Set the current group ID and entries_read counter.\n"
         "HELP\n"
         "    Prints this help."},
    Help{"XINFO|HELP",
         "XINFO <subcommand> [<arg> [value] [opt] ...]. Subcommands are:\n"
         "CONSUMERS <key> <groupname>\n"
         "    Show consumers of <groupname>.\n"
         "GROUPS <key>\n"
         "    Show the stream consumer groups.\n"
         "STREAM <key> [FULL [COUNT <count>]\n"
         "    Show information about the stream.\n"
         "HELP\n"
         "    Prints this help."},
};

}  // namespace

void run_container_help(CommandCall& call) {
  const auto* const help =
      std::find_if(texts.begin(), texts.end(), [&](const Help& entry) { return entry.name == call.command.name; });
  std::string_view lines = help->lines;
  const auto count = std::count(lines.begin(), lines.end(), '\n') + 1;
  call.reply.array(static_cast<std::size_t>(count));
  for (auto left = count; left > 0; --left) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    call.reply.status(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

}  // namespace cohsim::valkey
