// What SCAN, HSCAN, SSCAN and ZSCAN have in common (db.c, scanGenericCommand).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/valkey/command.h"
#include "sim/valkey/glob.h"

namespace cohsim::valkey {

enum class Scanned : std::uint8_t { keys, set, sorted_set, hash };

struct ScanOptions {
  std::int64_t count = 10;
  std::optional<std::string_view> pattern;
  std::optional<std::string_view> type;  ///< of SCAN
  bool only_names = false;               ///< HSCAN's NOVALUES
  [[nodiscard]] bool takes(std::string_view name) const { return !pattern || *pattern == "*" || glob_matches(*pattern, name); }
};

/// False with the error written. The cursor is read before the key is looked up, the options behind that: where there
/// is no row, they may be anything.
bool read_cursor(CommandCall& call, std::string_view text, std::uint64_t& cursor);
bool read_scan_options(CommandCall& call, std::size_t first, Scanned what, ScanOptions& options);

/// Where a name stands in the order of scanning: a hash of its bytes, so that what comes and goes meanwhile moves
/// nothing else, and whatever is there all the time is seen.
[[nodiscard]] std::uint64_t scan_place(std::string_view name);

/// One call's share: the names from one place up to another. As it is made, it is everything: small forms are shown
/// whole, whatever the cursor.
struct ScanWindow {
  std::uint64_t from = 0;
  std::uint64_t until = 0;  ///< the next cursor; 0: to the end
  [[nodiscard]] bool has(std::string_view name) const {
    if (from == 0 && until == 0) return true;
    const std::uint64_t place = scan_place(name);
    return place >= from && (until == 0 || place < until);
  }
};

/// The share of `count` names from the cursor on; `name_of` tells the name of an item.
template <class Items, class NameOf>
ScanWindow scan_window(const Items& items, NameOf name_of, std::uint64_t cursor, std::int64_t count) {
  if (cursor == 0 && static_cast<std::int64_t>(items.size()) <= count) return {};
  std::vector<std::uint64_t> places;
  for (const auto& item : items) {
    const std::uint64_t place = scan_place(name_of(item));
    if (place >= cursor) places.push_back(place);
  }
  std::sort(places.begin(), places.end());
  if (static_cast<std::int64_t>(places.size()) <= count) return {cursor, 0};
  const auto next = std::upper_bound(places.begin(), places.end(), places[static_cast<std::size_t>(count - 1)]);
  return {cursor, next == places.end() ? 0 : *next};
}

/// Writes the head of the reply; the array of what was found follows. `until` as in ScanWindow.
void write_scan_head(CommandCall& call, std::uint64_t until);
/// The whole reply where there is no row.
void write_empty_scan(CommandCall& call);

}  // namespace cohsim::valkey
