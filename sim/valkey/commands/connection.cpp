// PING, ECHO, TIME.
#include <array>
#include <limits>
#include <fmt/format.h>

#include "sim/valkey/command.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

void run_ping(CommandCall& call) {
  if (call.args.size() > 2) return call.reply.error("ERR wrong number of arguments for 'ping' command");
  const std::string_view payload = call.args.size() == 2 ? call.args[1] : std::string_view();
  if (!call.from_script && call.protocol == Protocol::resp2 && call.server.subscriptions.listens(call.client.id)) {
    call.reply.array(2);
    call.reply.bulk("pong");
    call.reply.bulk(payload);
  } else if (call.args.size() == 2) {
    call.reply.bulk(payload);
  } else {
    call.reply.status("PONG");
  }
}

void run_echo(CommandCall& call) { call.reply.bulk(call.args[1]); }

void run_select(CommandCall& call) {
  const auto database = read_integer(call.args[1]);
  if (!database) return call.reply.error(errors::not_integer);
  if (*database < std::numeric_limits<std::int32_t>::min() || *database > std::numeric_limits<std::int32_t>::max()) {
    return call.reply.error("ERR value is out of range, value must between -2147483648 and 2147483647");
  }
  if (call.server.settings.cluster && *database != 0) {
    return call.reply.error("ERR SELECT is not allowed in cluster mode");
  }
  if (*database < 0 || *database >= Keyspace::databases) return call.reply.error("ERR DB index is out of range");
  call.server.select(call, static_cast<int>(*database));
  call.reply.status("OK");
}

void run_time(CommandCall& call) {
  call.reply.array(2);
  call.reply.bulk(call.reply.keep(fmt::format("{}", call.server.now_us / us_per_s)));
  call.reply.bulk(call.reply.keep(fmt::format("{}", call.server.now_us % us_per_s)));
}

constexpr std::array table = {
    Command{"ECHO", 2, flag_none, no_keys, run_echo},
    Command{"PING", -1, flag_in_subscribed, no_keys, run_ping},
    Command{"SELECT", 2, flag_none, no_keys, run_select},
    Command{"TIME", 1, flag_none, no_keys, run_time},
};

}  // namespace

std::span<const Command> connection_commands() { return table; }

}  // namespace cohsim::valkey
