// PUBLISH, SUBSCRIBE and their kin, PUBSUB (pubsub.c). Several channels are several replies on a connection, one array
// of them elsewhere.
#include <array>
#include <fmt/format.h>

#include "sim/valkey/command.h"
#include "sim/valkey/glob.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

Listening kind_of(const Command& command) {
  if (command.name.front() == 'P') return Listening::pattern;
  return command.name.starts_with("SS") || command.name.starts_with("SUN") ? Listening::shard : Listening::channel;
}

/// "ssubscribe" and so on, as replies name it.
std::string_view verb(CommandCall& call) { return call.reply.keep(lower_case(call.command.name)); }

void reply_change(CommandCall& call, std::string_view verb, const std::string_view* name, std::size_t count) {
  call.client.replies_by_push = true;
  if (call.protocol == Protocol::resp3) {
    call.reply.push(3);
  } else {
    call.reply.array(3);
  }
  call.reply.bulk(verb);
  if (name == nullptr) {
    call.reply.nil();
  } else {
    call.reply.bulk(*name);
  }
  call.reply.integer(static_cast<std::int64_t>(count));
}

void run_publish(CommandCall& call) {
  const Listening kind = call.command.name == "PUBLISH" ? Listening::channel : Listening::shard;
  call.reply.integer(static_cast<std::int64_t>(call.server.publish(kind, call.args[1], call.args[2])));
}

void run_subscribe(CommandCall& call) {
  const Listening kind = kind_of(call.command);
  Subscriptions& subscriptions = call.server.subscriptions;
  const auto names = call.args.subspan(1);
  if (kind == Listening::shard && call.client.sends_bytes && !call.may_block) {  // inside EXEC
    return call.reply.error("ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client");
  }
  if (names.size() > 1 && !call.several_replies) call.reply.array(names.size());
  const std::string_view subscribed = verb(call);
  for (const std::string_view name : names) {
    subscriptions.subscribe(kind, call.client.id, name);
    reply_change(call, subscribed, &name, subscriptions.count(call.client.id, kind));
  }
}

void run_unsubscribe(CommandCall& call) {
  const Listening kind = kind_of(call.command);
  Subscriptions& subscriptions = call.server.subscriptions;
  const std::string_view unsubscribed = verb(call);
  if (call.server.personality().refuses_stray_unsubscribe && !subscriptions.listens(call.client.id)) {
    return call.reply.error(
        call.reply.keep(fmt::format("NOSUB '{}' command executed not in subscribed mode", unsubscribed)));
  }
  std::vector<std::string_view> names(call.args.begin() + 1, call.args.end());
  if (call.args.size() == 1) {
    for (std::string& own : subscriptions.names(call.client.id, kind)) names.push_back(call.reply.keep(std::move(own)));
    if (names.empty()) return reply_change(call, unsubscribed, nullptr, subscriptions.count(call.client.id, kind));
  }
  if (names.size() > 1 && !call.several_replies) call.reply.array(names.size());
  for (const std::string_view name : names) {
    subscriptions.unsubscribe(kind, call.client.id, name);
    reply_change(call, unsubscribed, &name, subscriptions.count(call.client.id, kind));
  }
}

/// CHANNELS and SHARDCHANNELS, in the order of bytes where a real server has that of its hash table.
void run_channels(CommandCall& call) {
  if (call.args.size() > 3) return call.server.wrong_subcommand(call);
  const Listening kind = call.command.name == "PUBSUB|CHANNELS" ? Listening::channel : Listening::shard;
  const std::size_t place = call.reply.size();
  call.reply.array(0);
  std::size_t found = 0;
  for (std::string& name : call.server.subscriptions.active(kind)) {
    if (call.args.size() == 3 && !glob_matches(call.args[2], name)) continue;
    call.reply.bulk(call.reply.keep(std::move(name)));
    ++found;
  }
  call.reply.set_items(place, found);
}

void run_numsub(CommandCall& call) {
  const Listening kind = call.command.name == "PUBSUB|NUMSUB" ? Listening::channel : Listening::shard;
  const auto names = call.args.subspan(2);
  call.reply.array(2 * names.size());
  for (const std::string_view name : names) {
    call.reply.bulk(name);
    call.reply.integer(static_cast<std::int64_t>(call.server.subscriptions.subscribers(kind, name).size()));
  }
}

void run_numpat(CommandCall& call) {
  call.reply.integer(static_cast<std::int64_t>(call.server.subscriptions.active(Listening::pattern).size()));
}

void run_help(CommandCall& call) {
  reply_lines(call, {"PUBSUB <subcommand> [<arg> [value] [opt] ...]. Subcommands are:", "CHANNELS [<pattern>]",
                     "    Return the currently active channels matching a <pattern> (default: '*').", "NUMPAT",
                     "    Return number of subscriptions to patterns.", "NUMSUB [<channel> ...]",
                     "    Return the number of subscribers for the specified channels, excluding",
                     "    pattern subscriptions(default: no channels).", "SHARDCHANNELS [<pattern>]",
                     "    Return the currently active shard level channels matching a <pattern> (default: '*').",
                     "SHARDNUMSUB [<shardchannel> ...]",
                     "    Return the number of subscribers for the specified shard level channel(s)", "HELP",
                     "    Prints this help."});
}

constexpr int channel_flags = flag_noscript | flag_in_subscribed;
constexpr KeyPositions any_keys{1, -1, 1};

constexpr std::array pubsub_table = {
    Command{"PUBSUB|CHANNELS", -2, flag_none, no_keys, run_channels},
    Command{"PUBSUB|HELP", 2, flag_none, no_keys, run_help},
    Command{"PUBSUB|NUMPAT", 2, flag_none, no_keys, run_numpat},
    Command{"PUBSUB|NUMSUB", -2, flag_none, no_keys, run_numsub},
    Command{"PUBSUB|SHARDCHANNELS", -2, flag_none, no_keys, run_channels},
    Command{"PUBSUB|SHARDNUMSUB", -2, flag_none, no_keys, run_numsub},
};

constexpr std::array table = {
    Command{"PSUBSCRIBE", -2, channel_flags, no_keys, run_subscribe},
    Command{"PUBLISH", 3, flag_replicates, no_keys, run_publish},
    Command{"PUBSUB", -2, flag_none, no_keys, nullptr, pubsub_table},
    Command{"PUNSUBSCRIBE", -1, channel_flags, no_keys, run_unsubscribe},
    Command{"SPUBLISH", 3, flag_replicates, one_key, run_publish},
    Command{"SSUBSCRIBE", -2, channel_flags, any_keys, run_subscribe},
    Command{"SUBSCRIBE", -2, channel_flags, no_keys, run_subscribe},
    Command{"SUNSUBSCRIBE", -1, channel_flags, any_keys, run_unsubscribe},
    Command{"UNSUBSCRIBE", -1, channel_flags, no_keys, run_unsubscribe},
};

}  // namespace

std::span<const Command> channel_commands() { return table; }

}  // namespace cohsim::valkey
