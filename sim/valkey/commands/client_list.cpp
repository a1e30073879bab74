// CLIENT LIST, INFO, KILL (networking.c). Addresses and sizes of buffers are made up: no connection is real.
#include <fmt/format.h>

#include "sim/valkey/commands/client_commands.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

std::string address(const Client& client) { return fmt::format("127.0.0.1:{}", 10000 + client.id % 50000); }
constexpr std::string_view local_address = "127.0.0.1:6379";

std::string flags_text(const ServerState& server, const Client& client) {
  std::string flags;
  if (server.subscriptions.listens(client.id)) flags += 'P';
  if (client.transaction.open) flags += 'x';
  if (client.blocked) flags += 'b';
  if (client.tracking.on) flags += 't';
  if (client.tracking.redirect_broken) flags += 'R';
  if (client.tracking.broadcast) flags += 'B';
  if (client.transaction.stale) flags += 'd';
  if (client.closing) flags += 'c';
  if (client.no_evict) flags += 'e';
  if (client.no_touch) flags += 'T';
  return flags.empty() ? "N" : flags;
}

std::string line(const ServerState& server, const Client& client) {
  const auto count = [&](Listening kind) { return server.subscriptions.names(client.id, kind).size(); };
  const std::int64_t redirect = client.tracking.on ? static_cast<std::int64_t>(client.tracking.redirect) : -1;
  std::string text = fmt::format(
      "id={} addr={} laddr={} fd=8 name={} age={} idle={} flags={} db={} sub={} psub={} ssub={} multi={}", client.id,
      address(client), local_address, client.name, (server.now_us - client.since_us) / us_per_s,
      (server.now_us - client.active_us) / us_per_s, flags_text(server, client), client.database,
      count(Listening::channel), count(Listening::pattern), count(Listening::shard),
      client.transaction.open ? static_cast<std::int64_t>(client.transaction.queued.size()) : -1);
  if (server.personality().has_valkey_config) text += fmt::format(" watch={}", client.watched.size());
  text += fmt::format(
      " qbuf=26 qbuf-free=20448 argv-mem=10 multi-mem=0 rbs=1024 rbp=0 obl=0 oll=0 omem=0 tot-mem=22298 events=r cmd={} "
      "user=default redir={} resp={}",
      client.last_command.empty() ? "NULL" : lower_case(client.last_command), redirect,
      client.protocol == Protocol::resp2 ? 2 : 3);
  if (server.personality().has_valkey_config) {
    text += fmt::format(" lib-name={} lib-ver={} tot-net-in=0 tot-net-out=0 tot-cmds=0", client.library_name,
                        client.library_version);
  }
  return text + "\n";
}

enum class ClientType { normal, pubsub, other };

std::optional<ClientType> read_type(std::string_view word) {
  if (is_word(word, "NORMAL")) return ClientType::normal;
  if (is_word(word, "PUBSUB")) return ClientType::pubsub;
  if (is_word(word, "MASTER") || is_word(word, "REPLICA") || is_word(word, "SLAVE")) return ClientType::other;
  return std::nullopt;
}

ClientType type_of(const ServerState& server, const Client& client) {
  return server.subscriptions.listens(client.id) ? ClientType::pubsub : ClientType::normal;
}

void unknown_type(CommandCall& call, std::string_view word) {
  call.reply.error(call.reply.keep(fmt::format("ERR Unknown client type '{}'", c_text(word))));
}

struct Filter {
  std::optional<ClientId> id;
  std::optional<ClientType> type;
  std::optional<std::string_view> address;
  std::optional<std::string_view> local;
  bool skip_me = true;
};

/// One option of KILL; false with the error written.
bool read_option(CommandCall& call, std::string_view option, std::string_view value, Filter& filter) {
  if (is_word(option, "ID")) {
    const auto id = read_integer(value);
    if (!id || *id < 1) {
      call.reply.error("ERR client-id should be greater than 0");
      return false;
    }
    filter.id = static_cast<ClientId>(*id);
  } else if (is_word(option, "TYPE")) {
    filter.type = read_type(value);
    if (!filter.type) unknown_type(call, value);
    return filter.type.has_value();
  } else if (is_word(option, "ADDR")) {
    filter.address = value;
  } else if (is_word(option, "LADDR")) {
    filter.local = value;
  } else if (is_word(option, "USER")) {
    if (value == "default") return true;
    call.reply.error(call.reply.keep(fmt::format("ERR No such user '{}'", c_text(value))));
    return false;
  } else if (is_word(option, "SKIPME") && (is_word(value, "YES") || is_word(value, "NO"))) {
    filter.skip_me = is_word(value, "YES");
  } else {
    call.reply.error(errors::syntax);
    return false;
  }
  return true;
}

bool passes(const ServerState& server, const Client& client, const Filter& filter) {
  if (filter.id && client.id != *filter.id) return false;
  if (filter.type && type_of(server, client) != *filter.type) return false;
  if (filter.address && address(client) != *filter.address) return false;
  return !filter.local || local_address == *filter.local;
}

void kill(CommandCall& call, Client& client) {
  if (&client == &call.client) {
    client.closing = true;
  } else {
    call.server.to_close.push_back(client.id);
  }
}

}  // namespace

void run_client_info(CommandCall& call) {
  call.reply.verbatim(call.reply.keep("txt:" + line(call.server, call.client)));
}

void run_client_list(CommandCall& call) {
  std::string text = "txt:";
  if (call.args.size() == 2) {
    for (const auto& [id, client] : call.server.clients) text += line(call.server, client);
  } else if (call.args.size() == 4 && is_word(call.args[2], "TYPE")) {
    const auto type = read_type(call.args[3]);
    if (!type) return unknown_type(call, call.args[3]);
    for (const auto& [id, client] : call.server.clients) {
      if (type_of(call.server, client) == *type) text += line(call.server, client);
    }
  } else if (call.args.size() > 3 && is_word(call.args[2], "ID")) {
    for (const std::string_view word : call.args.subspan(3)) {
      const auto id = read_integer(word);
      if (!id) return call.reply.error("ERR Invalid client ID");
      const auto place = call.server.clients.find(static_cast<ClientId>(*id));
      if (place != call.server.clients.end()) text += line(call.server, place->second);
    }
  } else {
    return call.reply.error(errors::syntax);
  }
  call.reply.verbatim(call.reply.keep(std::move(text)));
}

void run_client_kill(CommandCall& call) {
  Filter filter;
  const bool by_address = call.args.size() == 3;
  if (by_address) {
    filter.address = call.args[2];
    filter.skip_me = false;
  }
  for (std::size_t place = 2; !by_address && place < call.args.size(); place += 2) {
    if (place + 1 == call.args.size()) return call.reply.error(errors::syntax);
    if (!read_option(call, call.args[place], call.args[place + 1], filter)) return;
  }
  std::int64_t killed = 0;
  for (auto& [id, client] : call.server.clients) {
    if (!passes(call.server, client, filter) || (filter.skip_me && &client == &call.client)) continue;
    kill(call, client);
    ++killed;
  }
  if (!by_address) return call.reply.integer(killed);
  if (killed == 0) return call.reply.error("ERR No such client");
  call.reply.status("OK");
}

}  // namespace cohsim::valkey
