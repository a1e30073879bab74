// SETBIT, GETBIT, BITCOUNT: strings as rows of bits, the highest of a byte first (bitops.c).
#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "sim/valkey/arguments.h"
#include "sim/valkey/commands/number_args.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

bool read_offset(CommandCall& call, std::string_view text, std::int64_t& offset) {
  const auto most = static_cast<std::int64_t>(call.server.config.requests.bulk_bytes * 8 - 1);
  return read_bounded(call, text, 0, most, offset, "ERR bit offset is not an integer or out of range");
}

int bit_of(std::string_view bytes, std::size_t place) {
  const std::size_t byte = place / 8;
  return byte >= bytes.size() ? 0 : (static_cast<unsigned char>(bytes[byte]) >> (7 - place % 8)) & 1;
}

void run_setbit(CommandCall& call) {
  std::int64_t offset = 0;
  if (!read_offset(call, call.args[2], offset)) return;
  if (call.args[3] != "0" && call.args[3] != "1") return call.reply.error("ERR bit is not an integer or out of range");
  const Row* row = nullptr;
  if (!find_string(call, call.args[1], row)) return;
  const auto place = static_cast<std::size_t>(offset);
  std::string bytes = row == nullptr ? std::string() : row->bytes;
  const int before = bit_of(bytes, place);
  const int wanted = call.args[3] == "1" ? 1 : 0;
  call.reply.integer(before);
  if (bytes.size() > place / 8 && before == wanted) {
    return call.server.keyspace.set_form(call.args[1], Row::Form::raw);
  }
  bytes.resize(std::max(bytes.size(), place / 8 + 1));
  const auto mask = static_cast<unsigned char>(1U << (7 - place % 8));
  const auto byte = static_cast<unsigned char>(bytes[place / 8]);
  bytes[place / 8] = static_cast<char>(wanted == 1 ? byte | mask : byte & ~mask);
  const auto deadline_ms = row == nullptr ? std::nullopt : row->deadline_ms;
  call.server.keyspace.put(call.args[1], Row{std::move(bytes), deadline_ms, nullptr, Row::Form::raw}, "SETBIT");
}

void run_getbit(CommandCall& call) {
  std::int64_t offset = 0;
  const Row* row = nullptr;
  if (!read_offset(call, call.args[2], offset) || !find_string(call, call.args[1], row)) return;
  call.reply.integer(row == nullptr ? 0 : bit_of(row->bytes, static_cast<std::size_t>(offset)));
}

struct BitRange {
  std::int64_t first = 0;
  std::optional<std::int64_t> last;
  bool of_bits = false;
};

/// False with the error written. Which of two faults is told depends on the server.
bool read_range(CommandCall& call, BitRange& range) {
  const bool end_may_lack = call.server.personality().reads_bit_range_first;
  const std::size_t size = call.args.size();
  if (size > 5 || (size == 3 && !end_may_lack)) {
    call.reply.error(errors::syntax);
    return false;
  }
  if (size == 2) return true;
  if (!read_number(call, call.args[2], range.first)) return false;
  std::int64_t last = 0;
  const auto read_last = [&] { return size < 4 || read_number(call, call.args[3], last); };
  if (!end_may_lack && !read_last()) return false;
  range.of_bits = size == 5 && is_option(call.args[4], "BIT");
  if (size == 5 && !range.of_bits && !is_option(call.args[4], "BYTE")) {
    call.reply.error(errors::syntax);
    return false;
  }
  if (end_may_lack && !read_last()) return false;
  if (size >= 4) range.last = last;
  return true;
}

std::int64_t count_bits(std::string_view bytes, const BitRange& range) {
  const auto size = static_cast<std::int64_t>(bytes.size()) * (range.of_bits ? 8 : 1);
  const std::int64_t last = range.last.value_or(size - 1);
  if (size == 0 || (range.first < 0 && last < 0 && range.first > last)) return 0;
  const auto from_end = [size](std::int64_t place) { return std::max<std::int64_t>(place < 0 ? place + size : place, 0); };
  const std::int64_t from = from_end(range.first);
  const std::int64_t to = std::min(from_end(last), size - 1);
  std::int64_t count = 0;
  for (std::int64_t place = from; place <= to; ++place) {
    const auto at = static_cast<std::size_t>(place);
    count += range.of_bits ? bit_of(bytes, at) : std::popcount(static_cast<unsigned char>(bytes[at]));
  }
  return count;
}

void run_bitcount(CommandCall& call) {
  const bool range_first = call.server.personality().reads_bit_range_first;
  BitRange range;
  if (range_first && !read_range(call, range)) return;
  const Row* row = nullptr;
  if (!find_string(call, call.args[1], row)) return;
  if (row == nullptr) return call.reply.integer(0);
  if (!range_first && !read_range(call, range)) return;
  call.reply.integer(count_bits(row->bytes, range));
}

constexpr std::array table = {
    Command{"BITCOUNT", -2, flag_none, one_key, run_bitcount},
    Command{"GETBIT", 3, flag_none, one_key, run_getbit},
    Command{"SETBIT", 4, flag_write | flag_denyoom, one_key, run_setbit},
};

}  // namespace

std::span<const Command> bit_commands() { return table; }

}  // namespace cohsim::valkey
