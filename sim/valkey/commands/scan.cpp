// SCAN, and what it shares with its kin (db.c).
#include "sim/valkey/scan.h"

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <string>

#include "sim/valkey/arguments.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

/// redis 7.0 reads it by strtoul, which takes signs and no digits at all; later servers do not take those.
std::optional<std::uint64_t> cursor_of(std::string_view text, bool strict) {
  const std::string copy(text.substr(0, text.find('\0')));
  if (strict) {
    const auto number = read_integer(copy);
    if (number && *number < 0) return std::nullopt;
    if (copy.empty()) return std::nullopt;
  } else if (!copy.empty() && std::isspace(static_cast<unsigned char>(copy.front())) != 0) {
    return std::nullopt;
  }
  char* end = nullptr;
  errno = 0;
  const std::uint64_t value = std::strtoull(copy.c_str(), &end, 10);
  if (*end != '\0' || errno == ERANGE) return std::nullopt;
  return value;
}

void run_scan(CommandCall& call) {
  Keyspace& keyspace = call.server.keyspace;
  std::uint64_t cursor = 0;
  ScanOptions options;
  if (!read_cursor(call, call.args[1], cursor)) return;
  if (!read_scan_options(call, 2, Scanned::keys, options)) return;
  const std::string type = lower_case(options.type.value_or(""));
  const auto key_of = [](const auto& item) -> std::string_view { return item.first; };
  const ScanWindow window = scan_window(keyspace.rows(), key_of, cursor, options.count);
  write_scan_head(call, window.until);
  const std::size_t place = call.reply.size();
  call.reply.array(0);
  std::size_t found = 0;
  std::vector<std::string> expired;
  for (const auto& [key, row] : keyspace.rows()) {
    if (!options.takes(key) || !window.has(key)) continue;
    if (!keyspace.is_live(row, keyspace.now_ms())) {
      expired.push_back(key);
    } else if (!options.type || type == type_name(&row)) {
      call.reply.bulk(key);
      ++found;
    }
  }
  call.reply.set_items(place, found);
  for (const std::string& key : expired) keyspace.look(key);
}

constexpr std::array table = {
    Command{"SCAN", -2, flag_none, no_keys, run_scan},
};

}  // namespace

bool read_cursor(CommandCall& call, std::string_view text, std::uint64_t& cursor) {
  const auto value = cursor_of(text, call.server.personality().reads_cursor_strictly);
  if (!value) {
    call.reply.error("ERR invalid cursor");
    return false;
  }
  cursor = *value;
  return true;
}

bool read_scan_options(CommandCall& call, std::size_t first, Scanned what, ScanOptions& options) {
  std::size_t place = first;
  while (place < call.args.size()) {
    const std::string_view word = call.args[place];
    const bool has_value = place + 1 < call.args.size();
    const std::string_view value = has_value ? call.args[place + 1] : std::string_view();
    if (has_value && is_option(word, "COUNT")) {
      using Limits = std::numeric_limits<std::int64_t>;
      if (!read_bounded(call, value, Limits::min(), Limits::max(), options.count)) return false;
    } else if (has_value && is_option(word, "MATCH")) {
      options.pattern = value;
    } else if (has_value && what == Scanned::keys && is_option(word, "TYPE")) {
      options.type = value.substr(0, value.find('\0'));
    } else if (call.server.personality().has_hscan_novalues && is_option(word, "NOVALUES")) {
      if (what != Scanned::hash) {
        call.reply.error("ERR NOVALUES option can only be used in HSCAN");
        return false;
      }
      options.only_names = true;
      place += 1;
      continue;
    } else {
      call.reply.error(errors::syntax);
      return false;
    }
    if (options.count < 1) {
      call.reply.error(errors::syntax);
      return false;
    }
    place += 2;
  }
  return true;
}

std::uint64_t scan_place(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;  // FNV-1a, mixed, 48 bits, never 0: a cursor of 0 is the end
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3ULL;
  hash = (hash ^ (hash >> 33U)) * 0xFF51AFD7ED558CCDULL;
  return (hash >> 16U) | 1U;
}

void write_scan_head(CommandCall& call, std::uint64_t until) {
  call.reply.array(2);
  call.reply.bulk(call.reply.keep(std::to_string(until)));
}

void write_empty_scan(CommandCall& call) {
  write_scan_head(call, 0);
  call.reply.array(0);
}

std::span<const Command> scan_commands() { return table; }

}  // namespace cohsim::valkey
