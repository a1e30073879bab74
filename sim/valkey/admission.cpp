// The way of a command into the server: what it refuses, in the order in which server.c's processCommand looks, what a
// transaction holds back, and running the rest.
#include <fmt/format.h>

#include "sim/valkey/script_runs.h"
#include "sim/valkey/server_state.h"
#include "sim/valkey/slots.h"

namespace cohsim::valkey {

namespace {

std::string unknown_command(std::span<const std::string_view> args) {
  constexpr std::size_t shown_max = 128;
  std::string shown;
  for (std::size_t place = 1; place < args.size() && shown.size() < shown_max; ++place) {
    shown += fmt::format("'{}' ", c_text(args[place].substr(0, shown_max - shown.size())));
  }
  return fmt::format("ERR unknown command '{}', with args beginning with: {}", c_text(args[0].substr(0, shown_max)),
                     shown);
}

std::string unknown_subcommand(const Command& container, std::string_view name) {
  return fmt::format("ERR unknown subcommand '{}'. Try {} HELP.", c_text(name.substr(0, 128)), container.name);
}

/// Notes where the reply of a slow script will stand in that of its transaction.
void mark_own_reply(SlowScript& slow, const std::string& written, const lua::ReplyBuffer& before,
                    const lua::ReplyBuffer& own, Protocol protocol) {
  std::string bytes;
  append_resp(before, protocol, bytes);
  slow.own_at = written.size() + bytes.size();
  bytes.clear();
  append_resp(own, protocol, bytes);
  slow.own_size = bytes.size();
}

}  // namespace

/// A refused command spoils the transaction that it was for; a refused EXEC ends it.
void ServerState::refuse(Client& client, const Command* command, std::string text, lua::ReplyBuffer& reply) {
  if (client.transaction.open) client.transaction.broken = true;
  if (command != nullptr && command->name == "EXEC") {
    discard(client);
    if (text == errors::cross_slot) return reply.error(errors::cross_slot);
    const std::string_view reason = std::string_view(text).substr(text.starts_with("ERR ") ? 4 : 0);
    text = fmt::format("EXECABORT Transaction discarded because of: {}", reason);
  }
  reply.error(reply.keep(std::move(text)));
}

std::int64_t ServerState::used_memory() const {
  constexpr std::int64_t empty_server = 1'000'000;
  return empty_server + keyspace.used_bytes();
}

bool ServerState::is_out_of_memory() {
  if (config.maxmemory == 0 || used_memory() <= config.maxmemory) return false;
  const std::string& policy = config.value("maxmemory-policy");
  if (policy == "noeviction") return true;
  const bool any_row = policy.starts_with("allkeys");
  const int selected = keyspace.database();
  for (int database = 0; database < Keyspace::databases; ++database) {
    keyspace.select(database);
    const Keyspace::Rows& rows = keyspace.rows();
    for (auto row = rows.begin(); row != rows.end() && used_memory() > config.maxmemory;) {
      const auto chosen = row++;
      if (any_row || chosen->second.deadline_ms) keyspace.erase(chosen->first, "evicted");
    }
  }
  keyspace.select(selected);
  return used_memory() > config.maxmemory;
}

bool ServerState::is_restricted(const Client& client) const {
  return client.transaction.open || subscriptions.any() || config.maxmemory != 0 || settings.cluster ||
         !config.requirepass.empty() || slow.runs;
}

std::string ServerState::refusal(const Client& client, const Command& command, std::span<const std::string_view> args) {
  if (needs_password(client) && (command.flags & flag_no_auth) == 0) return "NOAUTH Authentication required.";
  if (client.transaction.open && (command.flags & flag_no_multi) != 0) {
    return "ERR Command not allowed inside a transaction";
  }
  if (settings.cluster && crosses_slots(client, command, args)) return std::string(errors::cross_slot);
  // What a transaction queues takes memory too, whatever it is (server.c, processCommand).
  if (config.maxmemory != 0 && !slow.runs && is_out_of_memory()) {
    const bool queued = client.transaction.open && (command.flags & flag_in_multi) == 0;
    const bool queue_grows = command.name == "EXEC" && (client.transaction.flags & flag_denyoom) != 0;
    const bool grows = (command.flags & flag_denyoom) != 0 || needs_memory(*this, command, args);
    if (grows || queued || queue_grows) return std::string(errors::out_of_memory);
  }
  if (client.protocol == Protocol::resp2 && (command.flags & flag_in_subscribed) == 0 &&
      subscriptions.listens(client.id)) {
    return fmt::format("ERR Can't execute '{}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are "
                       "allowed in this context",
                       lower_case(command.name));
  }
  if (slow.runs && (command.flags & flag_allow_busy) == 0) return busy_text();
  return {};
}

const Command* ServerState::admit(Client& client, std::span<const std::string_view> args, lua::ReplyBuffer& reply) {
  const Command* command = find_command(args[0]);
  if (command == nullptr) {
    refuse(client, nullptr, unknown_command(args), reply);
    return nullptr;
  }
  if (!command->subcommands.empty() && args.size() > 1) {
    const Command* const subcommand = find_subcommand(*command, args[1]);
    if (subcommand == nullptr || ((subcommand->flags & flag_valkey) != 0 && !personality().has_valkey_config)) {
      refuse(client, nullptr, unknown_subcommand(*command, args[1]), reply);
      return nullptr;
    }
    command = subcommand;
  }
  client.last_command = command->name;
  if (!arity_fits(*command, args.size(), personality()) && command->name != "QUIT") {
    refuse(client, command, wrong_arity(*command), reply);
    return nullptr;
  }
  if (is_restricted(client)) {
    std::string reason = refusal(client, *command, args);
    if (!reason.empty()) {
      refuse(client, command, std::move(reason), reply);
      return nullptr;
    }
  }
  if (command->run == nullptr) {
    remember_not_simulated(command->name, "");
    refuse(client, command, fmt::format("ERR '{}' is not simulated", command->name), reply);
    return nullptr;
  }
  return command;
}

void ServerState::run_command(Client& client, std::span<const std::string_view> args, std::int64_t now,
                              lua::ReplyBuffer& reply, bool may_block) {
  set_now(now);
  keyspace.select(client.database);
  reply.clear();
  running_ = &client;
  running_args_ = args;
  client.active_us = now;
  ++commands_run;
  const Command* const command = admit(client, args, reply);
  if (command == nullptr) {
    if (!client.transaction.open && !is_word(args[0], "CLIENT")) client.tracking.caching = false;
    return;
  }
  if (client.transaction.open && (command->flags & flag_in_multi) == 0) return queue(client, *command, args, reply);
  CommandCall call{*this, *command, client, args, reply, false, client.protocol, may_block};
  call.several_replies = client.sends_bytes;
  command->run(call);
  if (tracking.any()) {
    if (client.tracking.on) remember_read(client, *command, args);
    if (!client.transaction.open && !command->name.starts_with("CLIENT")) client.tracking.caching = false;
    tell_pending();
  }
}

void ServerState::retry(CommandCall& call) {
  running_args_ = call.args;
  call.command.run(call);
}

void ServerState::queue(Client& client, const Command& command, std::span<const std::string_view> args,
                        lua::ReplyBuffer& reply) {
  Transaction& transaction = client.transaction;
  // A transaction that will not run keeps nothing (multi.c, queueMultiCommand).
  if (!transaction.broken && !transaction.stale) {
    transaction.queued.push_back({&command, std::vector<std::string>(args.begin(), args.end())});
    transaction.flags |= command.flags;
    if (needs_memory(*this, command, args)) transaction.flags |= flag_denyoom;
  }
  reply.status("QUEUED");
}

void ServerState::discard(Client& client) {
  client.transaction = {};
  watches.unwatch(client);
}

void ServerState::run_transaction(CommandCall& exec) {
  Client& client = exec.client;
  watches.unwatch(client);
  const std::vector<Queued> queued = std::move(client.transaction.queued);
  client.transaction.queued.clear();
  exec.reply.array(queued.size());
  bool silent = client.replies == Replies::off;
  lua::ReplyBuffer inner;
  std::vector<std::string_view> views;
  for (const Queued& item : queued) {
    views.assign(item.args.begin(), item.args.end());
    running_args_ = views;
    inner.clear();
    CommandCall call{*this, *item.command, client, views, inner, false, client.protocol, false};
    call.several_replies = client.sends_bytes;
    const Protocol before = client.protocol;
    const bool was_slow = slow.runs;
    item.command->run(call);
    if (slow.runs && !was_slow) mark_own_reply(slow, written, exec.reply, inner, client.protocol);
    const bool pushed = std::exchange(client.replies_by_push, false);  // EXEC's reply is none
    if (client.protocol != before && client.sends_bytes) {
      append_resp(exec.reply, before, written);
      exec.reply.clear();
    }
    if (client.tracking.on) remember_read(client, *item.command, views);
    if (personality().pushes_to_self_first && !self_pushes.tokens().empty()) {
      exec.reply.append(self_pushes);
      self_pushes.clear();
    }
    if (client.replies == Replies::off && client.sends_bytes) {
      if (!silent) append_resp(exec.reply, client.protocol, written);  // it was said before CLIENT REPLY OFF
      if (pushed) append_resp(inner, client.protocol, written);
      exec.reply.clear();
      inner.clear();
    }
    silent = client.replies == Replies::off;
    exec.reply.append(inner);
  }
  discard(client);
}

void ServerState::reset(Client& client) {
  stop_tracking(client);
  discard(client);
  subscriptions.drop(client.id);
  keyspace.select(0);
  client.database = 0;
  client.protocol = Protocol::resp2;
  client.authenticated = config.requirepass.empty();
  client.name.clear();
  if (client.replies != Replies::skip) client.replies = Replies::on;  // SKIP holds for RESET's own reply too
  client.no_evict = false;
  client.no_touch = false;
  client.debugs_scripts = false;
}

void ServerState::wrong_subcommand(CommandCall& call) {
  const std::string container = std::string(call.command.name.substr(0, call.command.name.find('|')));
  call.reply.error(call.reply.keep(fmt::format("ERR unknown subcommand or wrong number of arguments for '{}'. Try {} HELP.",
                                               c_text(call.args[1].substr(0, 128)), container)));
}

}  // namespace cohsim::valkey
