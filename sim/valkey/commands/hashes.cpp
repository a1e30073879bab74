// Hashes: HSET, HGET, HDEL and their kin (t_hash.c). HSCAN stands in scan.cpp, HRANDFIELD in random.cpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "sim/valkey/arguments.h"
#include "sim/valkey/command.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

/// True where the field is new.
bool set_field(Hash& hash, std::string_view field, std::string_view value, const FormLimits& limits) {
  const auto value_max = static_cast<std::uint64_t>(limits.hash_value);
  if (field.size() > value_max || value.size() > value_max) hash.encoding = Encoding::large;
  const bool fresh = hash.fields.set(field, std::string(value));
  if (hash.fields.size() > static_cast<std::uint64_t>(limits.hash_entries)) hash.encoding = Encoding::large;
  return fresh;
}

void reply_value(CommandCall& call, const Hash* hash, std::string_view field) {
  const std::string* const value = hash == nullptr ? nullptr : hash->fields.find(field);
  if (value == nullptr) {
    call.reply.nil();
  } else {
    call.reply.bulk(*value);
  }
}

/// HSET and HMSET.
void run_hset(CommandCall& call) {
  if (call.args.size() % 2 != 0) {
    const std::string name = lower_case(call.command.name);
    return call.reply.error(call.reply.keep(fmt::format("ERR wrong number of arguments for '{}' command", name)));
  }
  const Hash* hash = nullptr;
  if (!find_typed(call, call.args[1], hash)) return;
  const FormLimits& limits = call.server.config.limits;
  std::int64_t fresh = 0;
  call.server.keyspace.edit<Hash>(call.args[1], "HSET", [&](Hash& changed) {
    const std::size_t pairs = call.args.size() / 2 - 1;
    if (call.server.personality().counts_hash_arguments && pairs > static_cast<std::uint64_t>(limits.hash_entries)) changed.encoding = Encoding::large;
    for (std::size_t place = 2; place < call.args.size(); place += 2) {
      fresh += set_field(changed, call.args[place], call.args[place + 1], limits) ? 1 : 0;
    }
  });
  if (call.command.name == "HSET") {
    call.reply.integer(fresh);
  } else {
    call.reply.status("OK");
  }
}

void run_hsetnx(CommandCall& call) {
  const Hash* hash = nullptr;
  if (!find_typed(call, call.args[1], hash)) return;
  if (hash != nullptr && hash->fields.contains(call.args[2])) return call.reply.integer(0);
  call.server.keyspace.edit<Hash>(call.args[1], "HSET",
                                  [&](Hash& changed) { set_field(changed, call.args[2], call.args[3], call.server.config.limits); });
  call.reply.integer(1);
}

void run_hget(CommandCall& call) {
  const Hash* hash = nullptr;
  if (find_typed(call, call.args[1], hash)) reply_value(call, hash, call.args[2]);
}

void run_hmget(CommandCall& call) {
  const Hash* hash = nullptr;
  if (!find_typed(call, call.args[1], hash)) return;
  call.reply.array(call.args.size() - 2);
  for (const std::string_view field : call.args.subspan(2)) reply_value(call, hash, field);
}

void run_hgetall(CommandCall& call) {
  const Hash* hash = nullptr;
  if (!find_typed(call, call.args[1], hash)) return;
  if (hash == nullptr) return call.reply.map(0);
  call.reply.map(hash->fields.size());
  for (const auto& [field, value] : hash->fields) {
    call.reply.bulk(field);
    call.reply.bulk(value);
  }
}

/// HKEYS and HVALS.
void run_one_side(CommandCall& call) {
  const Hash* hash = nullptr;
  if (!find_typed(call, call.args[1], hash)) return;
  if (hash == nullptr) return call.reply.array(0);
  const bool names = call.command.name == "HKEYS";
  call.reply.array(hash->fields.size());
  for (const auto& [field, value] : hash->fields) call.reply.bulk(names ? field : value);
}

void run_hdel(CommandCall& call) {
  const Hash* hash = nullptr;
  if (!find_typed(call, call.args[1], hash)) return;
  const auto fields = call.args.subspan(2);
  const auto there = [&](std::string_view field) { return hash != nullptr && hash->fields.contains(field); };
  if (std::none_of(fields.begin(), fields.end(), there)) return call.reply.integer(0);
  std::int64_t removed = 0;
  call.server.keyspace.edit<Hash>(call.args[1], "HDEL", [&](Hash& changed) {
    for (const std::string_view field : fields) removed += changed.fields.erase(field) ? 1 : 0;
  });
  call.reply.integer(removed);
}

void run_hexists(CommandCall& call) {
  const Hash* hash = nullptr;
  if (!find_typed(call, call.args[1], hash)) return;
  call.reply.integer(hash != nullptr && hash->fields.contains(call.args[2]) ? 1 : 0);
}

void run_hlen(CommandCall& call) {
  const Hash* hash = nullptr;
  if (!find_typed(call, call.args[1], hash)) return;
  call.reply.integer(hash == nullptr ? 0 : static_cast<std::int64_t>(hash->fields.size()));
}

void run_hstrlen(CommandCall& call) {
  const Hash* hash = nullptr;
  if (!find_typed(call, call.args[1], hash)) return;
  const std::string* const value = hash == nullptr ? nullptr : hash->fields.find(call.args[2]);
  call.reply.integer(value == nullptr ? 0 : static_cast<std::int64_t>(value->size()));
}

void run_hincrby(CommandCall& call) {
  const auto increment = read_integer(call.args[3]);
  if (!increment) return call.reply.error(errors::not_integer);
  const Hash* hash = nullptr;
  if (!find_typed(call, call.args[1], hash)) return;
  const std::string* const held = hash == nullptr ? nullptr : hash->fields.find(call.args[2]);
  const auto value = held == nullptr ? std::int64_t{0} : read_integer(*held);
  if (!value) return call.reply.error("ERR hash value is not an integer");
  std::int64_t sum = 0;
  if (__builtin_add_overflow(*value, *increment, &sum)) {
    return call.reply.error("ERR increment or decrement would overflow");
  }
  call.server.keyspace.edit<Hash>(call.args[1], "HINCRBY",
                                  [&](Hash& changed) { set_field(changed, call.args[2], std::to_string(sum), call.server.config.limits); });
  call.reply.integer(sum);
}

void run_hincrbyfloat(CommandCall& call) {
  const auto increment = read_long_double(call.args[3]);
  if (!increment) return call.reply.error("ERR value is not a valid float");
  if (std::isinf(*increment)) return call.reply.error("ERR value is NaN or Infinity");
  const Hash* hash = nullptr;
  if (!find_typed(call, call.args[1], hash)) return;
  const std::string* const held = hash == nullptr ? nullptr : hash->fields.find(call.args[2]);
  const auto value = held == nullptr ? 0.0L : read_long_double(*held);
  if (!value) return call.reply.error("ERR hash value is not a float");
  const long double sum = *value + *increment;
  if (std::isnan(sum) || std::isinf(sum)) return call.reply.error("ERR increment would produce NaN or Infinity");
  const std::string_view text = call.reply.keep(human_long_double(sum));
  call.server.keyspace.edit<Hash>(call.args[1], "HINCRBYFLOAT",
                                  [&](Hash& changed) { set_field(changed, call.args[2], text, call.server.config.limits); });
  call.reply.bulk(text);
}

constexpr int write_more = flag_write | flag_denyoom;

constexpr std::array table = {
    Command{"HDEL", -3, flag_write, one_key, run_hdel},
    Command{"HEXISTS", 3, flag_none, one_key, run_hexists},
    Command{"HGET", 3, flag_none, one_key, run_hget},
    Command{"HGETALL", 2, flag_none, one_key, run_hgetall},
    Command{"HINCRBY", 4, write_more, one_key, run_hincrby},
    Command{"HINCRBYFLOAT", 4, write_more, one_key, run_hincrbyfloat},
    Command{"HKEYS", 2, flag_none, one_key, run_one_side},
    Command{"HLEN", 2, flag_none, one_key, run_hlen},
    Command{"HMGET", -3, flag_none, one_key, run_hmget},
    Command{"HMSET", -4, write_more, one_key, run_hset},
    Command{"HSET", -4, write_more, one_key, run_hset},
    Command{"HSETNX", 4, write_more, one_key, run_hsetnx},
    Command{"HSTRLEN", 3, flag_none, one_key, run_hstrlen},
    Command{"HVALS", 2, flag_none, one_key, run_one_side},
};

}  // namespace

std::span<const Command> hash_commands() { return table; }

}  // namespace cohsim::valkey
