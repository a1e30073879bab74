// WAIT, DEBUG, ACL, LATENCY, SLOWLOG, ROLE, LASTSAVE: as far as they mean something in a simulation.
#include <array>
#include <limits>
#include <fmt/format.h>

#include "sim/valkey/command.h"
#include "sim/valkey/commands/help.h"
#include "sim/valkey/commands/introspection.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

/// There are no replicas: who wants any waits until the time is up.
void run_wait(CommandCall& call) {
  const auto replicas = read_integer(call.args[1]);
  if (!replicas) return call.reply.error(errors::not_integer);
  const auto timeout_ms = read_integer(call.args[2]);
  if (!timeout_ms) return call.reply.error("ERR timeout is not an integer or out of range");
  if (*timeout_ms < 0) return call.reply.error("ERR timeout is negative");
  // Redis 7.0 lets the deadline wrap, and waits for ever.
  const bool overflows = *timeout_ms > (std::numeric_limits<std::int64_t>::max() - call.server.now_us) / 1000;
  if (overflows && call.server.personality().has_valkey_config) return call.reply.error("ERR timeout is out of range");
  if (*replicas <= 0 || !call.may_block) return call.reply.integer(0);
  Blocked waits;
  waits.command = &call.command;
  waits.database = call.server.keyspace.database();
  waits.deadline_us = *timeout_ms == 0 || overflows ? 0 : call.server.now_us + *timeout_ms * 1000;
  waits.counts = true;
  call.client.waits = std::move(waits);
  call.server.blocking.add(call.client);
}

void run_debug(CommandCall& call) {
  if (is_word(call.args[1], "SLEEP") && call.args.size() == 3) return call.reply.status("OK");
  if (is_word(call.args[1], "SET-ACTIVE-EXPIRE") && call.args.size() == 3) {
    call.server.active_expiry = call.args[2] != "0";
    return call.reply.status("OK");
  }
  call.server.remember_not_simulated(fmt::format("DEBUG {}", upper_case(call.args[1])), "");
  call.reply.error(call.reply.keep(fmt::format("ERR 'DEBUG {}' is not simulated", c_text(upper_case(call.args[1])))));
}

void run_nothing(CommandCall& call) { call.reply.array(0); }
/// Of LASTSAVE: nothing is ever saved here.
void run_zero(CommandCall& call) { call.reply.integer(0); }
void run_ok(CommandCall& call) { call.reply.status("OK"); }

/// Nothing is ever slow here.
void run_slowlog_get(CommandCall& call) {
  if (call.args.size() > 3) return call.server.wrong_subcommand(call);
  if (call.args.size() == 3) {
    const auto count = read_integer(call.args[2]);
    if (!count || *count < -1) return call.reply.error("ERR count should be greater than or equal to -1");
  }
  call.reply.array(0);
}

void run_role(CommandCall& call) {
  call.reply.array(3);
  call.reply.bulk("master");
  call.reply.integer(0);
  call.reply.array(0);
}

void run_whoami(CommandCall& call) { call.reply.bulk("default"); }

void run_users(CommandCall& call) {
  call.reply.array(1);
  call.reply.bulk("default");
}

void run_slowlog_help(CommandCall& call) {
  reply_lines(call, {"SLOWLOG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:", "GET [<count>]",
                     "    Return top <count> entries from the slowlog (default: 10, -1 mean all).",
                     "    Entries are made of:",
                     "    id, timestamp, time in microseconds, arguments array, client IP and port,",
                     "    client name", "LEN", "    Return the length of the slowlog.", "RESET",
                     "    Reset the slowlog.", "HELP", "    Prints this help."});
}

/// A subcommand of real servers that is not simulated.
constexpr Command unknown(std::string_view name, int arity, int flags = flag_none) { return {name, arity, flags}; }

constexpr std::array acl_table = {
    unknown("ACL|CAT", -2, flag_noscript), unknown("ACL|DELUSER", -3, flag_noscript),
    unknown("ACL|DRYRUN", -4, flag_noscript), unknown("ACL|GENPASS", -2, flag_noscript),
    unknown("ACL|GETUSER", 3, flag_noscript), Command{"ACL|HELP", 2, flag_none, no_keys, run_container_help}, unknown("ACL|LIST", 2, flag_noscript),
    unknown("ACL|LOAD", 2, flag_noscript), unknown("ACL|LOG", -2, flag_noscript), unknown("ACL|SAVE", 2, flag_noscript),
    unknown("ACL|SETUSER", -3, flag_noscript), Command{"ACL|USERS", 2, flag_noscript, no_keys, run_users},
    Command{"ACL|WHOAMI", 2, flag_noscript, no_keys, run_whoami},
};

constexpr std::array latency_table = {
    unknown("LATENCY|DOCTOR", 2, flag_noscript), unknown("LATENCY|GRAPH", 3, flag_noscript),
    Command{"LATENCY|HELP", 2, flag_none, no_keys, run_container_help}, unknown("LATENCY|HISTOGRAM", -2, flag_noscript),
    Command{"LATENCY|HISTORY", 3, flag_noscript, no_keys, run_nothing},
    Command{"LATENCY|LATEST", 2, flag_noscript, no_keys, run_nothing},
    Command{"LATENCY|RESET", -2, flag_noscript, no_keys, run_zero},
};

constexpr std::array slowlog_table = {
    Command{"SLOWLOG|GET", -2, flag_none, no_keys, run_slowlog_get},
    Command{"SLOWLOG|HELP", 2, flag_none, no_keys, run_slowlog_help},
    Command{"SLOWLOG|LEN", 2, flag_none, no_keys, run_zero},
    Command{"SLOWLOG|RESET", 2, flag_none, no_keys, run_ok},
};

constexpr std::array table = {
    Command{"ACL", -2, flag_noscript, no_keys, nullptr, acl_table},
    Command{"DEBUG", -2, flag_noscript, no_keys, run_debug},
    Command{"INFO", -1, flag_none, no_keys, run_info},
    Command{"LASTSAVE", 1, flag_none, no_keys, run_zero},
    Command{"LATENCY", -2, flag_noscript, no_keys, nullptr, latency_table},
    Command{"ROLE", 1, flag_noscript, no_keys, run_role},
    Command{"SLOWLOG", -2, flag_none, no_keys, nullptr, slowlog_table},
    Command{"WAIT", 3, flag_blocking, no_keys, run_wait},
};

}  // namespace

std::span<const Command> introspection_commands() { return table; }

}  // namespace cohsim::valkey
