// GET and its kin, SET with its options and older forms, MGET and MSET (t_string.c).
#include <array>
#include <fmt/format.h>

#include <limits>

#include "sim/valkey/arguments.h"
#include "sim/valkey/command.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

enum class Of : std::uint8_t { set, getex };

struct Options {
  bool only_new = false;
  bool only_existing = false;
  bool get = false;
  bool keep_ttl = false;
  bool persist = false;
  std::string_view expiry;  ///< EX, PX, EXAT or PXAT; empty where there is none
  std::string_view amount;
};

std::string_view expiry_word(std::string_view word) {
  static constexpr std::array<std::string_view, 4> words = {"EX", "PX", "EXAT", "PXAT"};
  for (const std::string_view known : words) {
    if (is_option(word, known)) return known;
  }
  return {};
}

/// False for a syntax error (parseExtendedStringArgumentsOrReply). The same kind of expiry may come again: the last
/// amount counts.
bool read_options(std::span<const std::string_view> args, Of command, Options& options) {
  for (std::size_t place = command == Of::set ? 3 : 2; place < args.size(); ++place) {
    const std::string_view word = args[place];
    const std::string_view expiry = expiry_word(word);
    const bool other_expiry = !options.expiry.empty() && options.expiry != expiry;
    if (command == Of::set && is_option(word, "NX") && !options.only_existing) {
      options.only_new = true;
    } else if (command == Of::set && is_option(word, "XX") && !options.only_new) {
      options.only_existing = true;
    } else if (command == Of::set && is_option(word, "GET")) {
      options.get = true;
    } else if (command == Of::set && is_option(word, "KEEPTTL") && options.expiry.empty()) {
      options.keep_ttl = true;
    } else if (command == Of::getex && is_option(word, "PERSIST") && options.expiry.empty()) {
      options.persist = true;
    } else if (!expiry.empty() && !options.keep_ttl && !options.persist && !other_expiry && place + 1 < args.size()) {
      options.expiry = expiry;
      options.amount = args[++place];
    } else {
      return false;
    }
  }
  return true;
}

/// The deadline in Unix milliseconds; false with the error written where the amount has none
/// (getExpireMillisecondsOrReply).
bool read_deadline(CommandCall& call, std::string_view expiry, std::string_view text, std::int64_t& deadline_ms) {
  const auto amount = read_integer(text);
  if (!amount) {
    call.reply.error(errors::not_integer);
    return false;
  }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t base_ms = expiry.size() == 2 ? call.server.clock_ms() : 0;
  const bool seconds = expiry.front() == 'E';
  const std::int64_t span = seconds && *amount <= most / 1000 ? *amount * 1000 : *amount;
  if (*amount <= 0 || (seconds && *amount > most / 1000) || span > most - base_ms) {
    const std::string name = lower_case(call.command.name);
    call.reply.error(call.reply.keep(fmt::format("ERR invalid expire time in '{}' command", name)));
    return false;
  }
  deadline_ms = span + base_ms;
  return true;
}

void reply_bytes(CommandCall& call, const Row* row) {
  if (row == nullptr) {
    call.reply.nil();
  } else {
    call.reply.bulk(call.reply.keep(row->bytes));
  }
}

void store(CommandCall& call, std::string_view value, std::optional<std::int64_t> deadline_ms, bool expires) {
  Keyspace& keyspace = call.server.keyspace;
  const std::string_view key = call.args[1];
  if (expires && *deadline_ms <= call.server.clock_ms() && !call.server.personality().keeps_expired_set) {
    keyspace.erase(key, "DEL");
    return;
  }
  keyspace.put(key, value, deadline_ms, call.command.name);
}

void run_get(CommandCall& call) {
  const Row* row = nullptr;
  if (!find_string(call, call.args[1], row)) return;
  if (row == nullptr) return call.reply.nil();
  call.reply.bulk(row->bytes);
}

void run_set(CommandCall& call) {
  Options options;
  if (!read_options(call.args, Of::set, options)) return call.reply.error(errors::syntax);
  std::optional<std::int64_t> deadline_ms;
  if (!options.expiry.empty()) {
    deadline_ms = 0;
    if (!read_deadline(call, options.expiry, options.amount, *deadline_ms)) return;
  }
  const Row* const row = call.server.keyspace.find(call.args[1]);
  if (options.get && row != nullptr && !row->is_string()) return call.reply.error(errors::wrong_type);
  const bool refused = (options.only_new && row != nullptr) || (options.only_existing && row == nullptr);
  if (options.get) {
    reply_bytes(call, row);
  } else if (refused) {
    call.reply.nil();
  } else {
    call.reply.status("OK");
  }
  if (refused) return;
  const bool expires = deadline_ms.has_value();
  if (options.keep_ttl && row != nullptr) deadline_ms = row->deadline_ms;
  store(call, call.args[2], deadline_ms, expires);
}

/// SETEX and PSETEX.
void run_setex(CommandCall& call) {
  std::optional<std::int64_t> deadline_ms = 0;
  if (!read_deadline(call, call.command.name == "SETEX" ? "EX" : "PX", call.args[2], *deadline_ms)) return;
  store(call, call.args[3], deadline_ms, true);
  call.reply.status("OK");
}

void run_setnx(CommandCall& call) {
  if (call.server.keyspace.find(call.args[1]) != nullptr) return call.reply.integer(0);
  store(call, call.args[2], std::nullopt, false);
  call.reply.integer(1);
}

void run_getset(CommandCall& call) {
  const Row* row = nullptr;
  if (!find_string(call, call.args[1], row)) return;
  reply_bytes(call, row);
  store(call, call.args[2], std::nullopt, false);
}

void run_getdel(CommandCall& call) {
  const Row* row = nullptr;
  if (!find_string(call, call.args[1], row)) return;
  reply_bytes(call, row);
  if (row != nullptr) call.server.keyspace.erase(call.args[1], "DEL");
}

void run_getex(CommandCall& call) {
  Keyspace& keyspace = call.server.keyspace;
  Options options;
  if (!read_options(call.args, Of::getex, options)) return call.reply.error(errors::syntax);
  const Row* row = nullptr;
  if (!find_string(call, call.args[1], row)) return;
  if (row == nullptr) return call.reply.nil();
  std::int64_t deadline_ms = 0;
  if (!options.expiry.empty() && !read_deadline(call, options.expiry, options.amount, deadline_ms)) return;
  reply_bytes(call, row);
  if (options.persist) {
    if (row->deadline_ms) keyspace.set_deadline(call.args[1], std::nullopt, "PERSIST");
  } else if (options.expiry.size() == 4 && deadline_ms <= call.server.clock_ms()) {
    keyspace.erase(call.args[1], "DEL");
  } else if (!options.expiry.empty()) {
    keyspace.set_deadline(call.args[1], deadline_ms, "EXPIRE");
  }
}

/// A key that holds something else answers null, as one that is not there.
void run_mget(CommandCall& call) {
  call.reply.array(call.args.size() - 1);
  for (const std::string_view key : call.args.subspan(1)) {
    const Row* const row = call.server.keyspace.find(key);
    reply_bytes(call, row != nullptr && row->is_string() ? row : nullptr);
  }
}

/// MSET and MSETNX.
void run_mset(CommandCall& call) {
  Keyspace& keyspace = call.server.keyspace;
  if (call.args.size() % 2 == 0) {
    const std::string name = lower_case(call.command.name);
    return call.reply.error(call.reply.keep(fmt::format("ERR wrong number of arguments for '{}' command", name)));
  }
  const bool only_new = call.command.name == "MSETNX";
  for (std::size_t place = 1; only_new && place < call.args.size(); place += 2) {
    if (keyspace.find(call.args[place]) != nullptr) return call.reply.integer(0);
  }
  for (std::size_t place = 1; place < call.args.size(); place += 2) {
    keyspace.put(call.args[place], call.args[place + 1], std::nullopt, "SET");
  }
  if (only_new) {
    call.reply.integer(1);
  } else {
    call.reply.status("OK");
  }
}

constexpr int write_more = flag_write | flag_denyoom;
constexpr KeyPositions key_value_pairs{1, -1, 2};

constexpr std::array table = {
    Command{"GET", 2, flag_none, one_key, run_get},
    Command{"GETDEL", 2, flag_write, one_key, run_getdel},
    Command{"GETEX", -2, flag_write, one_key, run_getex},
    Command{"GETSET", 3, write_more, one_key, run_getset},
    Command{"MGET", -2, flag_none, all_keys, run_mget},
    Command{"MSET", -3, write_more, key_value_pairs, run_mset},
    Command{"MSETNX", -3, write_more, key_value_pairs, run_mset},
    Command{"PSETEX", 4, write_more, one_key, run_setex},
    Command{"SET", -3, write_more, one_key, run_set},
    Command{"SETEX", 4, write_more, one_key, run_setex},
    Command{"SETNX", 3, write_more, one_key, run_setnx},
};

}  // namespace

std::span<const Command> string_commands() { return table; }

}  // namespace cohsim::valkey
