// GET, SET, GETDEL (t_string.c).
#include <array>
#include <limits>

#include "sim/valkey/command.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

constexpr std::string_view invalid_expiry = "ERR invalid expire time in 'set' command";

struct SetOptions {
  bool only_new = false;
  bool only_existing = false;
  bool get = false;
  bool keep_ttl = false;
  std::string_view expiry;  ///< EX, PX, EXAT or PXAT, as sent; empty where there is none
  std::string_view amount;
};

/// False for a syntax error (parseExtendedStringArgumentsOrReply).
bool read_options(std::span<const std::string_view> args, SetOptions& options) {
  for (std::size_t place = 3; place < args.size(); ++place) {
    const std::string_view word = args[place];
    const bool expires = is_word(word, "EX") || is_word(word, "PX") || is_word(word, "EXAT") || is_word(word, "PXAT");
    if (is_word(word, "NX") && !options.only_existing) {
      options.only_new = true;
    } else if (is_word(word, "XX") && !options.only_new) {
      options.only_existing = true;
    } else if (is_word(word, "GET")) {
      options.get = true;
    } else if (is_word(word, "KEEPTTL") && options.expiry.empty()) {
      options.keep_ttl = true;
    } else if (expires && !options.keep_ttl && options.expiry.empty() && place + 1 < args.size()) {
      options.expiry = word;
      options.amount = args[++place];
    } else {
      return false;
    }
  }
  return true;
}

/// The deadline in Unix milliseconds; answers the error where the amount has none (getExpireMillisecondsOrReply).
std::string_view read_deadline(const SetOptions& options, std::int64_t now_ms, std::int64_t& deadline_ms) {
  const auto amount = read_integer(options.amount);
  if (!amount) return errors::not_integer;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const bool seconds = is_word(options.expiry, "EX") || is_word(options.expiry, "EXAT");
  const bool relative = options.expiry.size() == 2;
  if (*amount <= 0 || (seconds && *amount > most / 1000)) return invalid_expiry;
  deadline_ms = seconds ? *amount * 1000 : *amount;
  if (relative && deadline_ms > most - now_ms) return invalid_expiry;
  if (relative) deadline_ms += now_ms;
  return {};
}

void reply_bytes(CommandCall& call, const Row* row) {
  if (row == nullptr) {
    call.reply.nil();
  } else {
    call.reply.bulk(row->bytes);
  }
}

void store(CommandCall& call, const SetOptions& options, std::optional<std::int64_t> deadline_ms, const Row* row) {
  Keyspace& keyspace = call.server.keyspace;
  if (deadline_ms && *deadline_ms <= keyspace.now_ms()) {
    keyspace.erase(call.args[1], call.command.name);  // Valkey 8 never creates what has expired already
    return;
  }
  if (options.keep_ttl && row != nullptr) deadline_ms = row->deadline_ms;
  keyspace.put(call.args[1], call.args[2], deadline_ms, call.command.name);
}

void run_get(CommandCall& call) {
  const Row* row = nullptr;
  if (find_string(call, call.args[1], row)) reply_bytes(call, row);
}

void run_set(CommandCall& call) {
  SetOptions options;
  if (!read_options(call.args, options)) return call.reply.error(errors::syntax);
  std::optional<std::int64_t> deadline_ms;
  if (!options.expiry.empty()) {
    std::int64_t deadline = 0;
    const std::string_view error = read_deadline(options, call.server.keyspace.now_ms(), deadline);
    if (!error.empty()) return call.reply.error(error);
    deadline_ms = deadline;
  }
  const Row* const row = call.server.keyspace.find(call.args[1]);
  if (options.get && row != nullptr && !row->is_string()) return call.reply.error(errors::wrong_type);
  const bool refused = (options.only_new && row != nullptr) || (options.only_existing && row == nullptr);
  if (options.get) {
    if (row == nullptr) {
      call.reply.nil();
    } else {
      call.reply.bulk(call.reply.keep(row->bytes));
    }
  } else if (refused) {
    call.reply.nil();
  } else {
    call.reply.status("OK");
  }
  if (!refused) store(call, options, deadline_ms, row);
}

void run_getdel(CommandCall& call) {
  const Row* row = nullptr;
  if (!find_string(call, call.args[1], row)) return;
  if (row == nullptr) return call.reply.nil();
  call.reply.bulk(call.reply.keep(row->bytes));
  call.server.keyspace.erase(call.args[1], call.command.name);
}

constexpr std::array table = {
    Command{"GET", 2, flag_none, one_key, run_get},
    Command{"GETDEL", 2, flag_write, one_key, run_getdel},
    Command{"SET", -3, flag_write | flag_denyoom, one_key, run_set},
};

}  // namespace

std::span<const Command> string_commands() { return table; }

}  // namespace cohsim::valkey
