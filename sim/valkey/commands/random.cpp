// What the server picks by chance: RANDOMKEY, HRANDFIELD (db.c, t_hash.c). Chance comes from the server's own generator.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "sim/valkey/arguments.h"
#include "sim/valkey/command.h"
#include "sim/valkey/server_state.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

using Field = OrderedMap<std::string>::Entry;

std::size_t pick(ServerState& server, std::size_t among) { return server.choices.next() % among; }

/// Rows past their deadline that it meets go.
void run_randomkey(CommandCall& call) {
  Keyspace& keyspace = call.server.keyspace;
  while (!keyspace.rows().empty()) {
    const auto offset = static_cast<std::ptrdiff_t>(pick(call.server, keyspace.rows().size()));
    const std::string& key = std::next(keyspace.rows().begin(), offset)->first;
    const std::string_view text = call.reply.keep(key);
    if (keyspace.find(text) != nullptr) return call.reply.bulk(text);
  }
  call.reply.nil();
}

/// With `count` below 0 so many, each any of all; else so many different ones, in their order.
std::vector<const Field*> choose(ServerState& server, const Hash& hash, std::int64_t count) {
  std::vector<const Field*> all;
  for (const Field& field : hash.fields) all.push_back(&field);
  std::vector<const Field*> chosen;
  if (count < 0) {
    for (std::int64_t left = -count; left > 0; --left) chosen.push_back(all[pick(server, all.size())]);
    return chosen;
  }
  auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(count, static_cast<std::int64_t>(all.size())));
  for (std::size_t place = 0; wanted > 0; ++place) {
    if (pick(server, all.size() - place) >= wanted) continue;
    chosen.push_back(all[place]);
    --wanted;
  }
  return chosen;
}

void run_hrandfield(CommandCall& call) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const Hash* hash = nullptr;
  if (call.args.size() == 2) {
    if (!find_typed(call, call.args[1], hash)) return;
    if (hash == nullptr) return call.reply.nil();
    return call.reply.bulk(hash->fields.at(pick(call.server, hash->fields.size())).key);
  }
  std::int64_t count = 0;
  if (!read_bounded(call, call.args[2], -most, most, count)) return;
  const bool with_values = call.args.size() == 4;
  if (call.args.size() > 4 || (with_values && !is_option(call.args[3], "WITHVALUES"))) {
    return call.reply.error(errors::syntax);
  }
  if (with_values && (count < -most / 2 || count > most / 2)) return call.reply.error("ERR value is out of range");
  if (!find_typed(call, call.args[1], hash)) return;
  if (hash == nullptr || count == 0) return call.reply.array(0);
  const std::vector<const Field*> chosen = choose(call.server, *hash, count);
  const bool pairs = with_values && call.protocol == Protocol::resp3;
  call.reply.array(chosen.size() * (with_values && !pairs ? 2 : 1));
  for (const Field* const field : chosen) {
    if (pairs) call.reply.array(2);
    call.reply.bulk(field->key);
    if (with_values) call.reply.bulk(field->value);
  }
}

constexpr std::array table = {
    Command{"HRANDFIELD", -2, flag_none, one_key, run_hrandfield},
    Command{"RANDOMKEY", 1, flag_none, no_keys, run_randomkey},
};

}  // namespace

std::span<const Command> random_commands() { return table; }

}  // namespace cohsim::valkey
