// Strings changed or read in part, and counters: APPEND, GETRANGE, SETRANGE, STRLEN, INCR and its kin (t_string.c).
#include <array>
#include <cmath>
#include <limits>

#include "sim/valkey/arguments.h"
#include "sim/valkey/command.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

bool fits(CommandCall& call, std::uint64_t one, std::uint64_t other) {
  const std::uint64_t longest = call.server.config.requests.bulk_bytes;
  if (one <= longest && other <= longest - one) return true;
  call.reply.error("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
  return false;
}

void store(CommandCall& call, const Row* row, std::string bytes, Row::Form form, std::string_view cause) {
  const auto deadline_ms = row == nullptr ? std::nullopt : row->deadline_ms;
  call.server.keyspace.put(call.args[1], Row{std::move(bytes), deadline_ms, nullptr, form}, cause);
}

void run_append(CommandCall& call) {
  const Row* row = nullptr;
  if (!find_string(call, call.args[1], row)) return;
  if (row != nullptr && !fits(call, row->bytes.size(), call.args[2].size())) return;
  std::string bytes(row == nullptr ? std::string_view() : row->bytes);
  bytes += call.args[2];
  const auto length = static_cast<std::int64_t>(bytes.size());
  store(call, row, std::move(bytes), row == nullptr ? Row::Form::by_value : Row::Form::raw, "APPEND");
  call.reply.integer(length);
}

void run_strlen(CommandCall& call) {
  const Row* row = nullptr;
  if (!find_string(call, call.args[1], row)) return;
  call.reply.integer(row == nullptr ? 0 : static_cast<std::int64_t>(row->bytes.size()));
}

/// GETRANGE and SUBSTR.
void run_getrange(CommandCall& call) {
  const auto first = read_integer(call.args[2]);
  const auto last = first ? read_integer(call.args[3]) : std::nullopt;
  if (!last) return call.reply.error(errors::not_integer);
  const Row* row = nullptr;
  if (!find_string(call, call.args[1], row)) return;
  const std::int64_t length = row == nullptr ? 0 : static_cast<std::int64_t>(row->bytes.size());
  if (length == 0 || (*first < 0 && *last < 0 && *first > *last)) return call.reply.bulk("");
  const std::int64_t from = std::max<std::int64_t>(*first < 0 ? *first + length : *first, 0);
  const std::int64_t wanted = std::max<std::int64_t>(*last < 0 ? *last + length : *last, 0);
  const std::int64_t to = std::min(wanted, length - 1);
  if (from > to) return call.reply.bulk("");
  const auto place = static_cast<std::size_t>(from);
  call.reply.bulk(std::string_view(row->bytes).substr(place, static_cast<std::size_t>(to - from + 1)));
}

void run_setrange(CommandCall& call) {
  const auto offset = read_integer(call.args[2]);
  if (!offset) return call.reply.error(errors::not_integer);
  if (*offset < 0) return call.reply.error("ERR offset is out of range");
  const Row* row = nullptr;
  if (!find_string(call, call.args[1], row)) return;
  const std::string_view patch = call.args[3];
  if (patch.empty()) return call.reply.integer(row == nullptr ? 0 : static_cast<std::int64_t>(row->bytes.size()));
  if (!fits(call, static_cast<std::uint64_t>(*offset), patch.size())) return;
  const auto place = static_cast<std::size_t>(*offset);
  std::string bytes(row == nullptr ? std::string_view() : row->bytes);
  if (bytes.size() < place + patch.size()) bytes.resize(place + patch.size());
  bytes.replace(place, patch.size(), patch);
  const auto length = static_cast<std::int64_t>(bytes.size());
  store(call, row, std::move(bytes), Row::Form::raw, "SETRANGE");
  call.reply.integer(length);
}

void add(CommandCall& call, std::int64_t increment) {
  const Row* row = nullptr;
  if (!find_string(call, call.args[1], row)) return;
  const auto value = row == nullptr ? std::int64_t{0} : read_integer(row->bytes);
  if (!value) return call.reply.error(errors::not_integer);
  std::int64_t sum = 0;
  if (__builtin_add_overflow(*value, increment, &sum)) {
    return call.reply.error("ERR increment or decrement would overflow");
  }
  store(call, row, std::to_string(sum), Row::Form::by_value, "INCRBY");
  call.reply.integer(sum);
}

void run_incr(CommandCall& call) { add(call, 1); }
void run_decr(CommandCall& call) { add(call, -1); }

void run_incrby(CommandCall& call) {
  const auto increment = read_integer(call.args[2]);
  if (!increment) return call.reply.error(errors::not_integer);
  add(call, *increment);
}

void run_decrby(CommandCall& call) {
  const auto decrement = read_integer(call.args[2]);
  if (!decrement) return call.reply.error(errors::not_integer);
  if (*decrement == std::numeric_limits<std::int64_t>::min()) {
    return call.reply.error("ERR decrement would overflow");
  }
  add(call, -*decrement);
}

/// The sum is kept as text, even where it spells an integer.
void run_incrbyfloat(CommandCall& call) {
  const Row* row = nullptr;
  if (!find_string(call, call.args[1], row)) return;
  const auto value = row == nullptr ? 0.0L : read_long_double(row->bytes);
  const auto increment = value ? read_long_double(call.args[2]) : std::nullopt;
  if (!increment) return call.reply.error("ERR value is not a valid float");
  const long double sum = *value + *increment;
  if (std::isnan(sum) || std::isinf(sum)) return call.reply.error("ERR increment would produce NaN or Infinity");
  const std::string_view text = call.reply.keep(human_long_double(sum));
  store(call, row, std::string(text), Row::Form::text, "INCRBYFLOAT");
  call.reply.bulk(text);
}

constexpr int write_more = flag_write | flag_denyoom;

constexpr std::array table = {
    Command{"APPEND", 3, write_more, one_key, run_append},
    Command{"DECR", 2, write_more, one_key, run_decr},
    Command{"DECRBY", 3, write_more, one_key, run_decrby},
    Command{"GETRANGE", 4, flag_none, one_key, run_getrange},
    Command{"INCR", 2, write_more, one_key, run_incr},
    Command{"INCRBY", 3, write_more, one_key, run_incrby},
    Command{"INCRBYFLOAT", 3, write_more, one_key, run_incrbyfloat},
    Command{"SETRANGE", 4, write_more, one_key, run_setrange},
    Command{"STRLEN", 2, flag_none, one_key, run_strlen},
    Command{"SUBSTR", 4, flag_none, one_key, run_getrange},
};

}  // namespace

std::span<const Command> string_edit_commands() { return table; }

}  // namespace cohsim::valkey
