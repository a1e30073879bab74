// PUBLISH, SUBSCRIBE, UNSUBSCRIBE (pubsub.c). Several channels are several replies on a connection; here one array of
// them.
#include <array>

#include "sim/valkey/command.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

void reply_change(CommandCall& call, std::string_view verb, std::string_view channel, std::size_t count) {
  call.reply.array(3);
  call.reply.bulk(verb);
  call.reply.bulk(channel);
  call.reply.integer(static_cast<std::int64_t>(count));
}

void run_publish(CommandCall& call) {
  const std::vector<ClientId> listeners = call.server.subscriptions.subscribers(call.args[1]);
  for (const ClientId listener : listeners) call.server.publish(listener, call.args[1], call.args[2]);
  call.reply.integer(static_cast<std::int64_t>(listeners.size()));
}

void run_subscribe(CommandCall& call) {
  const auto channels = call.args.subspan(1);
  if (channels.size() > 1) call.reply.array(channels.size());
  for (const std::string_view channel : channels) {
    reply_change(call, "subscribe", channel, call.server.subscriptions.subscribe(call.client.id, channel));
  }
}

void run_unsubscribe(CommandCall& call) {
  Subscriptions& subscriptions = call.server.subscriptions;
  if (call.server.personality().refuses_stray_unsubscribe && subscriptions.count(call.client.id) == 0) {
    return call.reply.error("NOSUB 'unsubscribe' command executed not in subscribed mode");
  }
  std::vector<std::string> own;
  if (call.args.size() == 1) own = subscriptions.channels(call.client.id);
  std::vector<std::string_view> channels(call.args.begin() + 1, call.args.end());
  for (const std::string& channel : own) channels.push_back(call.reply.keep(channel));
  if (channels.size() > 1) call.reply.array(channels.size());
  for (const std::string_view channel : channels) {
    reply_change(call, "unsubscribe", channel, subscriptions.unsubscribe(call.client.id, channel));
  }
}

constexpr int channel_flags = flag_noscript | flag_in_subscribed | flag_allow_busy;

constexpr std::array table = {
    Command{"PUBLISH", 3, flag_replicates, no_keys, run_publish},
    Command{"SUBSCRIBE", -2, channel_flags, no_keys, run_subscribe},
    Command{"UNSUBSCRIBE", -1, channel_flags, no_keys, run_unsubscribe},
};

}  // namespace

std::span<const Command> channel_commands() { return table; }

}  // namespace cohsim::valkey
