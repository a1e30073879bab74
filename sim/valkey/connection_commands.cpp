// PING, ECHO, TIME.
#include <fmt/format.h>

#include "sim/valkey/command.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

void run_ping(CommandCall& call) {
  if (call.args.size() > 2) return call.reply.error("ERR wrong number of arguments for 'ping' command");
  const std::string_view payload = call.args.size() == 2 ? call.args[1] : std::string_view();
  if (!call.from_script && call.server.subscriptions.count(call.client) != 0) {
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

void run_time(CommandCall& call) {
  call.reply.array(2);
  call.reply.bulk(call.reply.keep(fmt::format("{}", call.server.now_us / us_per_s)));
  call.reply.bulk(call.reply.keep(fmt::format("{}", call.server.now_us % us_per_s)));
}

}  // namespace cohsim::valkey
