// CLIENT, but for LIST, INFO and KILL (client_list.cpp) and TRACKING (client_tracking.cpp).
#include <array>
#include <fmt/format.h>

#include "sim/valkey/command.h"
#include "sim/valkey/commands/client_commands.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

void run_id(CommandCall& call) { call.reply.integer(static_cast<std::int64_t>(call.client.id)); }

void run_setname(CommandCall& call) {
  if (!check_client_text(call, "Client names", call.args[2])) return;
  call.client.name = call.args[2];
  call.reply.status("OK");
}

void run_getname(CommandCall& call) {
  if (call.client.name.empty()) return call.reply.nil();
  call.reply.bulk(call.reply.keep(call.client.name));
}

void run_setinfo(CommandCall& call) {
  const bool name = is_word(call.args[2], "LIB-NAME");
  if (!name && !is_word(call.args[2], "LIB-VER")) {
    return call.reply.error(call.reply.keep(fmt::format("ERR Unrecognized option '{}'", c_text(call.args[2]))));
  }
  if (!check_client_text(call, name ? "lib-name" : "lib-ver", call.args[3])) return;
  (name ? call.client.library_name : call.client.library_version) = call.args[3];
  call.reply.status("OK");
}

void run_reply(CommandCall& call) {
  Replies& replies = call.client.replies;
  if (is_word(call.args[2], "ON")) {
    replies = Replies::on;
    call.reply.status("OK");
  } else if (is_word(call.args[2], "OFF")) {
    replies = Replies::off;
  } else if (is_word(call.args[2], "SKIP")) {
    if (replies != Replies::off) replies = Replies::skip_next;
  } else {
    call.reply.error(errors::syntax);
  }
}

/// NO-EVICT and NO-TOUCH, which change nothing that can be seen here but CLIENT LIST.
void run_switch(CommandCall& call) {
  const bool on = is_word(call.args[2], "ON");
  if (!on && !is_word(call.args[2], "OFF")) return call.reply.error(errors::syntax);
  (call.command.name == "CLIENT|NO-EVICT" ? call.client.no_evict : call.client.no_touch) = on;
  call.reply.status("OK");
}

void run_capa(CommandCall& call) { call.reply.status("OK"); }

void run_unblock(CommandCall& call) {
  bool with_error = false;
  if (call.args.size() > 4) return call.server.wrong_subcommand(call);
  if (call.args.size() == 4) {
    with_error = is_word(call.args[3], "ERROR");
    if (!with_error && !is_word(call.args[3], "TIMEOUT")) {
      return call.reply.error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
    }
  }
  const auto id = read_integer(call.args[2]);
  if (!id) return call.reply.error(errors::not_integer);
  const auto place = call.server.clients.find(static_cast<ClientId>(*id));
  const bool blocked = place != call.server.clients.end() && place->second.blocked;
  if (blocked) call.server.to_unblock.emplace_back(place->first, with_error);
  call.reply.integer(blocked ? 1 : 0);
}

/// Only what a pause of no length does is simulated.
void run_pause(CommandCall& call) {
  if (call.args.size() > 4) return call.server.wrong_subcommand(call);
  if (call.args.size() == 4 && !is_word(call.args[3], "WRITE") && !is_word(call.args[3], "ALL")) {
    return call.reply.error("ERR CLIENT PAUSE mode must be WRITE or ALL");
  }
  const auto span_ms = read_integer(call.args[2]);
  if (!span_ms) return call.reply.error("ERR timeout is not an integer or out of range");
  if (*span_ms < 0) return call.reply.error("ERR timeout is negative");
  if (*span_ms == 0) return call.reply.status("OK");
  call.server.remember_not_simulated("CLIENT PAUSE", "");
  call.reply.error("ERR 'CLIENT PAUSE' is not simulated");
}

void run_unpause(CommandCall& call) { call.reply.status("OK"); }

void run_help(CommandCall& call) {
  reply_lines(call, {"CLIENT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:", "CACHING (YES|NO)",
                     "    Enable/disable tracking of the keys for next command in OPTIN/OPTOUT modes.", "GETREDIR",
                     "    Return the client ID we are redirecting to when tracking is enabled.", "GETNAME",
                     "    Return the name of the current connection.", "ID",
                     "    Return the ID of the current connection.", "INFO",
                     "    Return information about the current client connection.", "KILL <ip:port>",
                     "    Kill connection made from <ip:port>.", "KILL <option> <value> [<option> <value> [...]]",
                     "    Kill connections. Options are:", "    * ADDR (<ip:port>|<unixsocket>:0)",
                     "      Kill connections made from the specified address",
                     "    * LADDR (<ip:port>|<unixsocket>:0)",
                     "      Kill connections made to specified local address",
                     "    * TYPE (NORMAL|MASTER|REPLICA|PUBSUB)", "      Kill connections by type.",
                     "    * USER <username>", "      Kill connections authenticated by <username>.",
                     "    * SKIPME (YES|NO)", "      Skip killing current connection (default: yes).",
                     "LIST [options ...]", "    Return information about client connections. Options:",
                     "    * TYPE (NORMAL|MASTER|REPLICA|PUBSUB)", "      Return clients of specified type.", "UNPAUSE",
                     "    Stop the current client pause, resuming traffic.", "PAUSE <timeout> [WRITE|ALL]",
                     "    Suspend all, or just write, clients for <timeout> milliseconds.", "REPLY (ON|OFF|SKIP)",
                     "    Control the replies sent to the current connection.", "SETNAME <name>",
                     "    Assign the name <name> to the current connection.", "UNBLOCK <clientid> [TIMEOUT|ERROR]",
                     "    Unblock the specified blocked client.",
                     "TRACKING (ON|OFF) [REDIRECT <id>] [BCAST] [PREFIX <prefix> [...]]",
                     "         [OPTIN] [OPTOUT] [NOLOOP]", "    Control server assisted client side caching.",
                     "TRACKINGINFO", "    Report tracking status for the current connection.", "NO-EVICT (ON|OFF)",
                     "    Protect current client connection from eviction.", "HELP", "    Prints this help."});
}

constexpr std::array client_table = {
    Command{"CLIENT|CACHING", 3, flag_noscript, no_keys, run_client_caching},
    Command{"CLIENT|CAPA", -3, flag_noscript | flag_valkey, no_keys, run_capa},
    Command{"CLIENT|GETNAME", 2, flag_noscript, no_keys, run_getname},
    Command{"CLIENT|GETREDIR", 2, flag_noscript, no_keys, run_client_getredir},
    Command{"CLIENT|HELP", 2, flag_none, no_keys, run_help},
    Command{"CLIENT|ID", 2, flag_noscript, no_keys, run_id},
    Command{"CLIENT|INFO", 2, flag_noscript, no_keys, run_client_info},
    Command{"CLIENT|KILL", -3, flag_noscript, no_keys, run_client_kill},
    Command{"CLIENT|LIST", -2, flag_noscript, no_keys, run_client_list},
    Command{"CLIENT|NO-EVICT", 3, flag_noscript, no_keys, run_switch},
    Command{"CLIENT|NO-TOUCH", 3, flag_noscript | flag_valkey, no_keys, run_switch},
    Command{"CLIENT|PAUSE", -3, flag_noscript, no_keys, run_pause},
    Command{"CLIENT|REPLY", 3, flag_noscript, no_keys, run_reply},
    Command{"CLIENT|SETINFO", 4, flag_noscript | flag_valkey, no_keys, run_setinfo},
    Command{"CLIENT|SETNAME", 3, flag_noscript, no_keys, run_setname},
    Command{"CLIENT|TRACKING", -3, flag_noscript, no_keys, run_client_tracking},
    Command{"CLIENT|TRACKINGINFO", 2, flag_noscript, no_keys, run_client_trackinginfo},
    Command{"CLIENT|UNBLOCK", -3, flag_noscript, no_keys, run_unblock},
    Command{"CLIENT|UNPAUSE", 2, flag_noscript, no_keys, run_unpause},
};

constexpr std::array table = {
    Command{"CLIENT", -2, flag_noscript, no_keys, nullptr, client_table},
};

}  // namespace

std::span<const Command> client_commands() { return table; }

}  // namespace cohsim::valkey
