// What the server picks by chance: RANDOMKEY, HRANDFIELD, ZRANDMEMBER (db.c, t_hash.c, t_zset.c).
#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "sim/valkey/arguments.h"
#include "sim/valkey/commands/chance.h"
#include "sim/valkey/commands/sorted_values.h"
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

/// What HRANDFIELD and ZRANDMEMBER read; `count` is there where the command has it.
struct Wanted {
  std::optional<std::int64_t> count;
  bool pairs = false;  ///< with values, or scores
};

bool read_wanted(CommandCall& call, std::string_view pairs_word, Wanted& wanted) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (call.args.size() == 2) return true;
  std::int64_t count = 0;
  if (!read_bounded(call, call.args[2], -most, most, count)) return false;
  wanted.count = count;
  wanted.pairs = call.args.size() == 4;
  if (call.args.size() > 4 || (wanted.pairs && !is_option(call.args[3], pairs_word))) {
    call.reply.error(errors::syntax);
    return false;
  }
  if (!wanted.pairs || (count >= -most / 2 && count <= most / 2)) return true;
  call.reply.error("ERR value is out of range");
  return false;
}

/// Where there is nothing to choose from, or nothing wanted.
void reply_none(CommandCall& call, const Wanted& wanted) {
  if (wanted.count) return call.reply.array(0);
  call.reply.nil();
}

void run_hrandfield(CommandCall& call) {
  const Hash* hash = nullptr;
  Wanted wanted;
  if (!read_wanted(call, "WITHVALUES", wanted) || !find_typed(call, call.args[1], hash)) return;
  if (hash == nullptr || wanted.count == 0) return reply_none(call, wanted);
  if (!wanted.count) return call.reply.bulk(hash->fields.at(pick(call.server, hash->fields.size())).key);
  const auto places = choose_places(call, hash->fields.size(), *wanted.count);
  if (!places) return;
  std::vector<const Field*> all;
  for (const Field& field : hash->fields) all.push_back(&field);
  const bool nested = wanted.pairs && call.protocol == Protocol::resp3;
  call.reply.array(places->size() * (wanted.pairs && !nested ? 2 : 1));
  for (const std::size_t place : *places) {
    if (nested) call.reply.array(2);
    call.reply.bulk(all[place]->key);
    if (wanted.pairs) call.reply.bulk(all[place]->value);
  }
}

/// Different members come from the highest score down.
void run_zrandmember(CommandCall& call) {
  const SortedSet* set = nullptr;
  Wanted wanted;
  if (!read_wanted(call, "WITHSCORES", wanted) || !find_typed(call, call.args[1], set)) return;
  if (set == nullptr || wanted.count == 0) return reply_none(call, wanted);
  const auto places = choose_places(call, set->order.size(), wanted.count.value_or(-1));
  if (!places) return;
  std::vector<const Scored*> all;
  for (auto item = set->order.rbegin(); item != set->order.rend(); ++item) all.push_back(&*item);
  if (!wanted.count) return call.reply.bulk(all[places->front()]->second);
  const bool nested = wanted.pairs && call.protocol == Protocol::resp3;
  call.reply.array(places->size() * (wanted.pairs && !nested ? 2 : 1));
  for (const std::size_t place : *places) {
    if (nested) call.reply.array(2);
    call.reply.bulk(all[place]->second);
    if (wanted.pairs) reply_score(call, all[place]->first);
  }
}

constexpr std::array table = {
    Command{"HRANDFIELD", -2, flag_none, one_key, run_hrandfield},
    Command{"RANDOMKEY", 1, flag_none, no_keys, run_randomkey},
    Command{"ZRANDMEMBER", -2, flag_none, one_key, run_zrandmember},
};

}  // namespace

std::span<const Command> random_commands() { return table; }

}  // namespace cohsim::valkey
