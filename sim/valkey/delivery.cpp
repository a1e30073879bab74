// What the server tells clients that did not ask just now: messages of channels, keyspace events, invalidations.
#include <fmt/format.h>

#include <algorithm>

#include "sim/valkey/keyspace_events.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

void ServerState::push(Client& to, const lua::ReplyBuffer& message, bool behind_reply) {
  if (rehearsing_) return;
  if (&to == running_) return (behind_reply ? later_pushes : self_pushes).append(message);
  std::string bytes;
  append_resp(message, to.protocol, bytes);
  settings.output->send(to.id, bytes);
}

void ServerState::send_message(ClientId to, std::string_view pattern, Listening kind, std::string_view channel,
                               std::string_view payload) {
  const auto place = clients.find(to);
  if (place == clients.end() || !place->second.sends_bytes) {
    if (settings.pushes != nullptr && !rehearsing_) settings.pushes->push(to, channel, payload);
    return;
  }
  lua::ReplyBuffer message;
  message.push(kind == Listening::pattern ? 4 : 3);
  if (kind == Listening::pattern) {
    message.bulk("pmessage");
    message.bulk(pattern);
  } else {
    message.bulk(kind == Listening::shard ? "smessage" : "message");
  }
  message.bulk(channel);
  message.bulk(payload);
  push(place->second, message);
}

std::size_t ServerState::publish(Listening kind, std::string_view channel, std::string_view payload) {
  std::size_t told = 0;
  for (const ClientId listener : subscriptions.subscribers(kind, channel)) {
    send_message(listener, {}, kind, channel, payload);
    ++told;
  }
  if (kind == Listening::shard) return told;
  for (const auto& [pattern, listener] : subscriptions.matching(channel)) {
    send_message(listener, pattern, Listening::pattern, channel, payload);
    ++told;
  }
  return told;
}

void ServerState::key_changed(int database, std::string_view key, bool existed, const Row* after,
                              std::string_view cause) {
  if (after != nullptr && blocking.any()) blocking.signal(database, key);
  if (rehearsing_) return;
  if (watches.any()) watches.changed(database, key, after != nullptr);
  if (tracking.any() && is_told(cause)) invalidate(key);
  if (config.notify_events != 0 && is_told(cause)) notify(database, key, existed, after, cause);
}

/// Commands that read tell; of those that write, the ones that look for what they read by themselves.
void ServerState::key_missed(int database, std::string_view key) {
  if (rehearsing_ || (config.notify_events & events_miss) == 0 || running_args_.empty()) return;
  const Command* const command = find_command(running_args_[0]);
  if (command == nullptr || command->name == "WATCH") return;
  if ((command->flags & flag_write) != 0) {
    const std::string_view name = command->name;
    const bool reads = name == "GETSET" || name == "GETDEL" || name == "GETEX" || name.ends_with("STORE") ||
                       (name == "COPY" && key == running_args_[1]) ||
                       (name == "SET" && std::any_of(running_args_.begin() + 3, running_args_.end(),
                                                     [](std::string_view word) { return is_word(word, "GET"); }));
    if (!reads) return;
  }
  send_event(events_miss, "keymiss", database, key);
}

void ServerState::cleared() {
  if (rehearsing_ || !tracking.any()) return;
  tracking.forget_keys();
  for (auto& [id, client] : clients) {
    if (client.tracking.on) send_invalidation(id, {}, true);
  }
}

void ServerState::notify(int database, std::string_view key, bool existed, const Row* after, std::string_view cause) {
  const int wanted = config.notify_events;
  if (!existed && after != nullptr && (wanted & events_new) != 0) send_event(events_new, "new", database, key);
  for (const KeyspaceEvent& event : keyspace_events(cause, existed, after, running_args_)) {
    if ((wanted & event.kind) != 0) send_event(event.kind, event.name, database, key);
  }
}

void ServerState::send_event(int, std::string_view event, int database, std::string_view key) {
  if ((config.notify_events & events_keyspace) != 0) {
    publish(Listening::channel, fmt::format("__keyspace@{}__:{}", database, key), event);
  }
  if ((config.notify_events & events_keyevent) != 0) {
    publish(Listening::channel, fmt::format("__keyevent@{}__:{}", database, event), key);
  }
}

void ServerState::remember_read(Client& client, const Command& command, std::span<const std::string_view> args) {
  if ((command.flags & (flag_write | flag_noscript)) == 0) remember_keys(client, command, args);
}

void ServerState::remember_keys(Client& client, const Command& command, std::span<const std::string_view> args) {
  TrackingState& state = client.tracking;
  if (state.broadcast || rehearsing_) return;
  if ((state.opt_in && !state.caching) || (state.opt_out && state.caching)) return;
  visit_keys(command, args, [&](std::string_view key) { tracking.remember(client.id, key); });
}

void ServerState::invalidate(std::string_view key) {
  // What a script changes is not its client's own: NOLOOP does not hold back the broadcast of it.
  tracking.note_broadcast(key, running_ == nullptr || script_client_ != nullptr ? 0 : running_->id);
  for (const ClientId reader : tracking.take_readers(key)) {
    const auto place = clients.find(reader);
    if (place == clients.end()) continue;
    const TrackingState& state = place->second.tracking;
    if (!state.on || state.broadcast) continue;
    const bool own = &place->second == running_;
    if (own && state.no_loop) continue;
    if (own) {
      tracking.pending.emplace_back(reader, std::string(key));
    } else {
      send_invalidation(reader, {std::string(key)}, false);
    }
  }
}

void ServerState::tell_pending() {
  const auto pending = std::move(tracking.pending);
  tracking.pending.clear();
  for (const auto& [client, key] : pending) send_invalidation(client, {key}, false);
}

void ServerState::tell_broadcasts() {
  if (!tracking.any_noted()) return;
  for (const Tracking::Broadcast& broadcast : tracking.take_broadcasts()) {
    const auto place = clients.find(broadcast.client);
    if (place == clients.end()) continue;
    std::vector<std::string> keys;
    for (const auto& [key, by] : broadcast.keys) {
      if (!place->second.tracking.no_loop || by != broadcast.client) keys.push_back(key);
    }
    if (!keys.empty()) send_invalidation(broadcast.client, keys, false);
  }
}

void ServerState::send_invalidation(ClientId to, const std::vector<std::string>& keys, bool flushed) {
  const auto place = clients.find(to);
  if (place == clients.end()) return;
  TrackingState& state = place->second.tracking;
  Client* target = &place->second;
  if (state.redirect != 0) {
    const auto redirected = clients.find(state.redirect);
    if (redirected == clients.end()) {
      state.redirect_broken = true;
      if (target->protocol != Protocol::resp3 || !target->sends_bytes) return;
      lua::ReplyBuffer broken;
      broken.push(2);
      broken.bulk("tracking-redir-broken");
      broken.integer(static_cast<std::int64_t>(state.redirect));
      return push(*target, broken, true);
    }
    target = &redirected->second;
  }
  if (!target->sends_bytes) return;
  lua::ReplyBuffer message;
  if (target->protocol == Protocol::resp3) {
    message.push(2);
    message.bulk("invalidate");
  } else if (state.redirect != 0 && subscriptions.listens(target->id)) {
    message.push(3);
    message.bulk("message");
    message.bulk("__redis__:invalidate");
  } else {
    return;
  }
  if (flushed) {
    message.nil();
  } else {
    message.array(keys.size());
    for (const std::string& key : keys) message.bulk(key);
  }
  push(*target, message, true);
}

void ServerState::stop_tracking(Client& client) {
  if (!client.tracking.on) return;
  tracking.remove_prefixes(client.id, client.tracking.prefixes);
  client.tracking = {};
  --tracking.clients;
}

}  // namespace cohsim::valkey
