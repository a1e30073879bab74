// MULTI, EXEC, DISCARD, WATCH, UNWATCH (multi.c).
#include <array>

#include "sim/valkey/command.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

void run_multi(CommandCall& call) {
  if (call.client.transaction.open) return call.reply.error("ERR MULTI calls can not be nested");
  call.client.transaction.open = true;
  call.reply.status("OK");
}

void run_discard(CommandCall& call) {
  if (!call.client.transaction.open) return call.reply.error("ERR DISCARD without MULTI");
  call.server.discard(call.client);
  call.reply.status("OK");
}

/// A watched row that has passed its deadline since counts as changed, whether or not it has been removed.
bool is_stale(ServerState& server, const Client& client) {
  if (client.transaction.stale) return true;
  for (const auto& place : client.watched) {
    const Keyspace::Rows& rows = server.keyspace.rows(place.first);
    const auto row = rows.find(place.second);
    if (row == rows.end() || server.keyspace.is_live(row->second, server.keyspace.now_ms())) continue;
    if (!server.watches.was_expired(client, place)) return true;
  }
  return false;
}

void run_exec(CommandCall& call) {
  const Transaction& transaction = call.client.transaction;
  if (!transaction.open) return call.reply.error("ERR EXEC without MULTI");
  const bool broken = transaction.broken;
  if (broken || is_stale(call.server, call.client)) {
    call.server.discard(call.client);
    if (!broken) return call.reply.null_array();
    return call.reply.error("EXECABORT Transaction discarded because of previous errors.");
  }
  call.server.run_transaction(call);
}

void run_watch(CommandCall& call) {
  if (call.client.transaction.open) return call.reply.error("ERR WATCH inside MULTI is not allowed");
  if (call.client.transaction.stale) return call.reply.status("OK");
  const Keyspace& keyspace = call.server.keyspace;
  for (const std::string_view key : call.args.subspan(1)) {
    const auto row = keyspace.rows().find(key);
    const bool expired = row != keyspace.rows().end() && !keyspace.is_live(row->second, keyspace.now_ms());
    call.server.watches.watch(call.client, keyspace.database(), key, expired);
  }
  call.reply.status("OK");
}

void run_unwatch(CommandCall& call) {
  call.server.watches.unwatch(call.client);
  call.client.transaction.stale = false;
  call.reply.status("OK");
}

constexpr int transaction_flags = flag_noscript | flag_allow_busy;

constexpr std::array table = {
    Command{"DISCARD", 1, transaction_flags | flag_in_multi, no_keys, run_discard},
    Command{"EXEC", 1, flag_noscript | flag_in_multi, no_keys, run_exec},
    Command{"MULTI", 1, transaction_flags | flag_in_multi, no_keys, run_multi},
    Command{"UNWATCH", 1, transaction_flags, no_keys, run_unwatch},
    Command{"WATCH", -2, transaction_flags | flag_in_multi, all_keys, run_watch},
};

}  // namespace

std::span<const Command> transaction_commands() { return table; }

}  // namespace cohsim::valkey
