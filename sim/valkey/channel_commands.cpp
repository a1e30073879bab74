// PUBLISH, SUBSCRIBE, UNSUBSCRIBE (pubsub.c). Several channels are several replies on a connection; here one array of
// them.
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

}  // namespace

void run_publish(CommandCall& call) {
  const std::vector<ClientId> listeners = call.server.subscriptions.subscribers(call.args[1]);
  for (const ClientId listener : listeners) call.server.publish(listener, call.args[1], call.args[2]);
  call.reply.integer(static_cast<std::int64_t>(listeners.size()));
}

void run_subscribe(CommandCall& call) {
  const auto channels = call.args.subspan(1);
  if (channels.size() > 1) call.reply.array(channels.size());
  for (const std::string_view channel : channels) {
    reply_change(call, "subscribe", channel, call.server.subscriptions.subscribe(call.client, channel));
  }
}

void run_unsubscribe(CommandCall& call) {
  Subscriptions& subscriptions = call.server.subscriptions;
  // Only 8.0.0 and 8.0.1 refuse this; other versions answer with a count of 0.
  if (subscriptions.count(call.client) == 0) {
    return call.reply.error("NOSUB 'unsubscribe' command executed not in subscribed mode");
  }
  std::vector<std::string> own;
  if (call.args.size() == 1) own = subscriptions.channels(call.client);
  std::vector<std::string_view> channels(call.args.begin() + 1, call.args.end());
  for (const std::string& channel : own) channels.push_back(call.reply.keep(channel));
  if (channels.size() > 1) call.reply.array(channels.size());
  for (const std::string_view channel : channels) {
    reply_change(call, "unsubscribe", channel, subscriptions.unsubscribe(call.client, channel));
  }
}

}  // namespace cohsim::valkey
