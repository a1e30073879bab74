// HSCAN, SSCAN, ZSCAN (db.c, scanGenericCommand).
#include <array>
#include <string>

#include "sim/valkey/commands/set_values.h"
#include "sim/valkey/commands/sorted_values.h"
#include "sim/valkey/scan.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

/// Reads all arguments; null, with the reply written, where there is nothing to scan.
template <class T>
const T* read_scan(CommandCall& call, Scanned what, std::uint64_t& cursor, ScanOptions& options) {
  const T* value = nullptr;
  if (!read_cursor(call, call.args[2], cursor) || !find_typed(call, call.args[1], value)) return nullptr;
  if (value == nullptr) {
    write_empty_scan(call);
    return nullptr;
  }
  return read_scan_options(call, 3, what, options) ? value : nullptr;
}

/// Writes the reply: of each item in the window that the options take, what `write` makes of it (how many replies).
template <class Items, class NameOf, class Write>
void write_scan(CommandCall& call, const Items& items, NameOf name_of, const ScanWindow& window,
                const ScanOptions& options, Write write) {
  write_scan_head(call, window.until);
  const std::size_t place = call.reply.size();
  call.reply.array(0);
  std::size_t found = 0;
  for (const auto& item : items) {
    const std::string_view name = name_of(item);
    if (options.takes(name) && window.has(name)) found += write(item);
  }
  call.reply.set_items(place, found);
}

void run_hscan(CommandCall& call) {
  std::uint64_t cursor = 0;
  ScanOptions options;
  const Hash* const hash = read_scan<Hash>(call, Scanned::hash, cursor, options);
  if (hash == nullptr) return;
  const auto name_of = [](const auto& item) -> std::string_view { return item.key; };
  ScanWindow window;
  if (hash->encoding == Encoding::large) window = scan_window(hash->fields, name_of, cursor, options.count);
  write_scan(call, hash->fields, name_of, window, options, [&](const auto& item) -> std::size_t {
    call.reply.bulk(item.key);
    if (options.only_names) return 1;
    call.reply.bulk(item.value);
    return 2;
  });
}

void run_sscan(CommandCall& call) {
  std::uint64_t cursor = 0;
  ScanOptions options;
  const Set* const set = read_scan<Set>(call, Scanned::set, cursor, options);
  if (set == nullptr) return;
  const auto name_of = [](std::string_view member) { return member; };
  const std::vector<std::string_view> members = members_of(*set);
  ScanWindow window;
  if (set->form == Set::Form::hashtable) window = scan_window(members, name_of, cursor, options.count);
  write_scan(call, members, name_of, window, options, [&](std::string_view member) -> std::size_t {
    call.reply.bulk(member);
    return 1;
  });
}

/// A listpack holds whole numbers as such; the scores of a skiplist are long doubles for the while (util.c, ld2string).
std::string scanned_score(double score, Encoding encoding, bool shortest) {
  if (encoding == Encoding::large) return score_text(score, false);
  constexpr double most = 4611686018427387904.0;
  if (score >= -most && score <= most && static_cast<double>(static_cast<std::int64_t>(score)) == score) {
    return std::to_string(static_cast<std::int64_t>(score));
  }
  return score_text(score, shortest);
}

void run_zscan(CommandCall& call) {
  std::uint64_t cursor = 0;
  ScanOptions options;
  const SortedSet* const set = read_scan<SortedSet>(call, Scanned::sorted_set, cursor, options);
  if (set == nullptr) return;
  const auto name_of = [](const Scored& item) -> std::string_view { return item.second; };
  const bool shortest = call.server.personality().shortest_scores;
  ScanWindow window;
  if (set->encoding == Encoding::large) window = scan_window(set->order, name_of, cursor, options.count);
  write_scan(call, set->order, name_of, window, options, [&](const Scored& item) -> std::size_t {
    call.reply.bulk(item.second);
    call.reply.bulk(call.reply.keep(scanned_score(item.first, set->encoding, shortest)));
    return 2;
  });
}

constexpr std::array table = {
    Command{"HSCAN", -3, flag_none, one_key, run_hscan},
    Command{"SSCAN", -3, flag_none, one_key, run_sscan},
    Command{"ZSCAN", -3, flag_none, one_key, run_zscan},
};

}  // namespace

std::span<const Command> member_scan_commands() { return table; }

}  // namespace cohsim::valkey
