// EXPIRE and its kin, TTL and its kin, PERSIST (expire.c).
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

#include "sim/valkey/arguments.h"
#include "sim/valkey/command.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

struct Conditions {
  bool only_without = false;  ///< NX
  bool only_with = false;     ///< XX
  bool only_later = false;    ///< GT
  bool only_earlier = false;  ///< LT
};

/// Of one line, and a C string: what breaks lines becomes blanks, and goes from the end.
std::string unsupported(std::string_view word) {
  std::string text = fmt::format("ERR Unsupported option {}", word.substr(0, word.find('\0')));
  text.resize(text.find_last_not_of("\r\n") + 1);
  std::replace_if(text.begin(), text.end(), [](char letter) { return letter == '\r' || letter == '\n'; }, ' ');
  return text;
}

/// Writes the error and answers false where an option is unknown or does not go with another.
bool read_conditions(CommandCall& call, Conditions& conditions) {
  for (const std::string_view word : call.args.subspan(3)) {
    if (is_option(word, "NX")) {
      conditions.only_without = true;
    } else if (is_option(word, "XX")) {
      conditions.only_with = true;
    } else if (is_option(word, "GT")) {
      conditions.only_later = true;
    } else if (is_option(word, "LT")) {
      conditions.only_earlier = true;
    } else {
      call.reply.error(call.reply.keep(unsupported(word)));
      return false;
    }
  }
  if (conditions.only_without && (conditions.only_with || conditions.only_later || conditions.only_earlier)) {
    call.reply.error("ERR NX and XX, GT or LT options at the same time are not compatible");
    return false;
  }
  if (conditions.only_later && conditions.only_earlier) {
    call.reply.error("ERR GT and LT options at the same time are not compatible");
    return false;
  }
  return true;
}

bool is_met(const Conditions& conditions, std::optional<std::int64_t> current_ms, std::int64_t deadline_ms) {
  if (conditions.only_without && current_ms) return false;
  if (conditions.only_with && !current_ms) return false;
  if (conditions.only_later && (!current_ms || deadline_ms <= *current_ms)) return false;
  return !(conditions.only_earlier && current_ms && deadline_ms >= *current_ms);
}

/// Turns the argument into a deadline; false where it overflows.
bool to_deadline(std::string_view name, std::int64_t amount, std::int64_t now_ms, std::int64_t& deadline_ms) {
  using Limits = std::numeric_limits<std::int64_t>;
  const bool seconds = name.front() == 'E';
  const bool absolute = name.ends_with("AT");
  if (seconds && (amount > Limits::max() / 1000 || amount < Limits::min() / 1000)) return false;
  deadline_ms = seconds ? amount * 1000 : amount;
  const std::int64_t base_ms = absolute ? 0 : now_ms;
  if (deadline_ms > Limits::max() - base_ms) return false;
  deadline_ms += base_ms;
  return true;
}

void run_expire(CommandCall& call) {
  Keyspace& keyspace = call.server.keyspace;
  Conditions conditions;
  if (!read_conditions(call, conditions)) return;
  const auto amount = read_integer(call.args[2]);
  if (!amount) return call.reply.error(errors::not_integer);
  std::int64_t deadline_ms = 0;
  if (!to_deadline(call.command.name, *amount, call.server.clock_ms(), deadline_ms)) {
    const std::string name = lower_case(call.command.name);
    return call.reply.error(call.reply.keep(fmt::format("ERR invalid expire time in '{}' command", name)));
  }
  const Row* const row = keyspace.find(call.args[1]);
  if (row == nullptr || !is_met(conditions, row->deadline_ms, deadline_ms)) return call.reply.integer(0);
  if (deadline_ms <= call.server.clock_ms()) {
    keyspace.erase(call.args[1], "DEL");
  } else {
    keyspace.set_deadline(call.args[1], deadline_ms, "EXPIRE");
  }
  call.reply.integer(1);
}

/// TTL, PTTL, EXPIRETIME, PEXPIRETIME: −2 without a row, −1 without a deadline.
void run_ttl(CommandCall& call) {
  const std::string_view name = call.command.name;
  const Row* const row = call.server.keyspace.look_or_miss(call.args[1]);
  if (row == nullptr) return call.reply.integer(-2);
  if (!row->deadline_ms) return call.reply.integer(-1);
  const bool absolute = name.ends_with("TIME");
  std::int64_t value_ms = absolute ? *row->deadline_ms : *row->deadline_ms - call.server.clock_ms();
  if (value_ms < 0) value_ms = 0;
  const bool seconds = name.front() != 'P';
  call.reply.integer(seconds ? value_ms / 1000 + (value_ms % 1000 >= 500 ? 1 : 0) : value_ms);
}

void run_persist(CommandCall& call) {
  const Row* const row = call.server.keyspace.find(call.args[1]);
  if (row == nullptr || !row->deadline_ms) return call.reply.integer(0);
  call.server.keyspace.set_deadline(call.args[1], std::nullopt, call.command.name);
  call.reply.integer(1);
}

constexpr std::array table = {
    Command{"EXPIRE", -3, flag_write, one_key, run_expire},
    Command{"EXPIREAT", -3, flag_write, one_key, run_expire},
    Command{"EXPIRETIME", 2, flag_none, one_key, run_ttl},
    Command{"PERSIST", 2, flag_write, one_key, run_persist},
    Command{"PEXPIRE", -3, flag_write, one_key, run_expire},
    Command{"PEXPIREAT", -3, flag_write, one_key, run_expire},
    Command{"PEXPIRETIME", 2, flag_none, one_key, run_ttl},
    Command{"PTTL", 2, flag_none, one_key, run_ttl},
    Command{"TTL", 2, flag_none, one_key, run_ttl},
};

}  // namespace

std::span<const Command> expiry_commands() { return table; }

}  // namespace cohsim::valkey
