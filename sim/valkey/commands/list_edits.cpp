// LSET, LINSERT, LREM, LTRIM: what changes a list elsewhere than at its ends (t_list.c).
#include <algorithm>
#include <array>

#include "sim/valkey/commands/number_args.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

void run_lset(CommandCall& call) {
  const Row* const row = call.server.keyspace.find(call.args[1]);
  if (row == nullptr) return call.reply.error("ERR no such key");
  const List* list = nullptr;
  std::int64_t index = 0;
  if (!find_typed(call, call.args[1], list) || !read_number(call, call.args[2], index)) return;
  const auto place = place_of(index, list->size());
  if (!place) return call.reply.error("ERR index out of range");
  call.server.keyspace.edit<List>(call.args[1], "LSET", [&](List& changed) {
    changed.make_room(call.args[3].size(), 1, call.server.config.limits.list_size);
    changed.set(*place, call.args[3]);
    changed.settle(call.server.config.limits.list_size);
  });
  call.reply.status("OK");
}

void run_linsert(CommandCall& call) {
  const bool after = is_word(call.args[2], "AFTER");
  if (!after && !is_word(call.args[2], "BEFORE")) return call.reply.error(errors::syntax);
  const List* list = nullptr;
  if (!find_typed(call, call.args[1], list)) return;
  if (list == nullptr) return call.reply.integer(0);
  const auto pivot = std::find(list->items.begin(), list->items.end(), call.args[3]);
  if (pivot == list->items.end()) return call.reply.integer(-1);
  const std::size_t place = static_cast<std::size_t>(pivot - list->items.begin()) + (after ? 1 : 0);
  const std::size_t size = list->size() + 1;
  call.server.keyspace.edit<List>(call.args[1], "LINSERT", [&](List& changed) {
    changed.make_room(call.args[4].size(), 1, call.server.config.limits.list_size);
    changed.insert(place, call.args[4]);
  });
  call.reply.integer(static_cast<std::int64_t>(size));
}

/// The places of at most `count` items that equal `item`, from the end where it is negative; all where it is 0.
std::vector<std::size_t> matches(const List& list, std::string_view item, std::int64_t count) {
  const bool backward = count < 0;
  std::vector<std::size_t> places;
  for (std::size_t step = 0; step < list.size(); ++step) {
    const std::size_t place = backward ? list.size() - 1 - step : step;
    if (list.items[place] != item) continue;
    places.push_back(place);
    const auto found = static_cast<std::int64_t>(places.size());
    if (count != 0 && (backward ? -found : found) == count) break;
  }
  if (!backward) std::reverse(places.begin(), places.end());
  return places;
}

void run_lrem(CommandCall& call) {
  std::int64_t count = 0;
  const List* list = nullptr;
  if (!read_number(call, call.args[2], count) || !find_typed(call, call.args[1], list)) return;
  if (list == nullptr) return call.reply.integer(0);
  const std::vector<std::size_t> places = matches(*list, call.args[3], count);
  if (!places.empty()) {
    call.server.keyspace.edit<List>(call.args[1], "LREM", [&](List& changed) {
      for (const std::size_t place : places) changed.erase(place);
      changed.settle(call.server.config.limits.list_size);
    });
  }
  call.reply.integer(static_cast<std::int64_t>(places.size()));
}

void run_ltrim(CommandCall& call) {
  std::int64_t start = 0;
  std::int64_t stop = 0;
  if (!read_number(call, call.args[2], start) || !read_number(call, call.args[3], stop)) return;
  const List* list = nullptr;
  if (!find_typed(call, call.args[1], list)) return;
  if (list != nullptr) {
    const Stretch kept = stretch_of(start, stop, list->size());
    call.server.keyspace.edit<List>(call.args[1], "LTRIM", [&](List& changed) {
      const std::size_t behind = kept.first + kept.count;
      changed.erase(behind, changed.size() - behind);
      changed.erase(0, kept.first);
      changed.settle(call.server.config.limits.list_size);
    });
  }
  call.reply.status("OK");
}

constexpr int grows = flag_write | flag_denyoom;

constexpr std::array table = {
    Command{"LINSERT", 5, grows, one_key, run_linsert},
    Command{"LREM", 4, flag_write, one_key, run_lrem},
    Command{"LSET", 4, grows, one_key, run_lset},
    Command{"LTRIM", 4, flag_write, one_key, run_ltrim},
};

}  // namespace

std::span<const Command> list_edit_commands() { return table; }

}  // namespace cohsim::valkey
