// LPUSH and its kin, and what only looks at a list (t_list.c).
#include <array>

#include "sim/valkey/commands/number_args.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

void push(CommandCall& call, End end, bool only_existing) {
  const List* list = nullptr;
  if (!find_typed(call, call.args[1], list)) return;
  if (list == nullptr && only_existing) return call.reply.integer(0);
  std::size_t size = 0;
  call.server.keyspace.edit<List>(call.args[1], end == End::left ? "LPUSH" : "RPUSH", [&](List& changed) {
    const std::span<const std::string_view> items = call.args.subspan(2);
    std::size_t bytes = 0;
    for (const std::string_view item : items) bytes += item.size();
    changed.make_room(bytes, items.size(), call.server.config.limits.list_size);
    for (const std::string_view item : items) changed.push(end, item);
    size = changed.size();
  });
  call.reply.integer(static_cast<std::int64_t>(size));
}

void run_lpush(CommandCall& call) { push(call, End::left, false); }
void run_rpush(CommandCall& call) { push(call, End::right, false); }
void run_lpushx(CommandCall& call) { push(call, End::left, true); }
void run_rpushx(CommandCall& call) { push(call, End::right, true); }

void run_llen(CommandCall& call) {
  const List* list = nullptr;
  if (!find_typed(call, call.args[1], list)) return;
  call.reply.integer(list == nullptr ? 0 : static_cast<std::int64_t>(list->size()));
}

void run_lrange(CommandCall& call) {
  std::int64_t start = 0;
  std::int64_t stop = 0;
  if (!read_number(call, call.args[2], start) || !read_number(call, call.args[3], stop)) return;
  const List* list = nullptr;
  if (!find_typed(call, call.args[1], list)) return;
  const Stretch shown = stretch_of(start, stop, list == nullptr ? 0 : list->size());
  call.reply.array(shown.count);
  for (std::size_t place = 0; place < shown.count; ++place) call.reply.bulk(list->items[shown.first + place]);
}

void run_lindex(CommandCall& call) {
  const List* list = nullptr;
  if (!find_typed(call, call.args[1], list)) return;
  if (list == nullptr) return call.reply.nil();
  std::int64_t index = 0;
  if (!read_number(call, call.args[2], index)) return;
  const auto place = place_of(index, list->size());
  if (!place) return call.reply.nil();
  call.reply.bulk(list->items[*place]);
}

struct Search {
  std::int64_t rank = 1;
  std::int64_t count = -1;    ///< 0: all; -1: not asked for
  std::int64_t compared_max = 0;  ///< 0: any number
};

bool read_rank(CommandCall& call, std::string_view text, std::int64_t& rank) {
  if (!call.server.personality().takes_smallest_rank) {
    if (!read_reversible(call, text, rank)) return false;
  } else if (!read_number(call, text, rank)) {
    return false;
  }
  if (rank != 0) return true;
  call.reply.error(
      "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use negative to start "
      "from the end of the list");
  return false;
}

bool read_search(CommandCall& call, Search& search) {
  for (std::size_t place = 3; place < call.args.size(); place += 2) {
    const std::string_view word = call.args[place];
    const bool has_value = place + 1 < call.args.size();
    const std::string_view value = has_value ? call.args[place + 1] : std::string_view();
    if (is_word(word, "RANK") && has_value) {
      if (!read_rank(call, value, search.rank)) return false;
    } else if (is_word(word, "COUNT") && has_value) {
      if (!read_at_least(call, value, 0, "ERR COUNT can't be negative", search.count)) return false;
    } else if (is_word(word, "MAXLEN") && has_value) {
      if (!read_at_least(call, value, 0, "ERR MAXLEN can't be negative", search.compared_max)) return false;
    } else {
      call.reply.error(errors::syntax);
      return false;
    }
  }
  return true;
}

void reply_matches(CommandCall& call, const List& list, const Search& search) {
  const bool backward = search.rank < 0;
  constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
  std::int64_t to_skip = search.rank == smallest ? 0 : (backward ? -search.rank : search.rank) - 1;
  const auto size = static_cast<std::int64_t>(list.size());
  const std::int64_t compared = search.compared_max == 0 ? size : std::min(size, search.compared_max);
  const std::size_t header = call.reply.size();
  if (search.count >= 0) call.reply.array(0);
  std::int64_t found = 0;
  for (std::int64_t step = 0; step < compared; ++step) {
    const std::int64_t place = backward ? size - 1 - step : step;
    if (list.items[static_cast<std::size_t>(place)] != call.args[2] || to_skip-- > 0) continue;
    call.reply.integer(place);
    if (search.count < 0) return;
    if (++found == search.count) break;
  }
  if (search.count < 0) return call.reply.nil();
  call.reply.set_items(header, static_cast<std::size_t>(found));
}

void run_lpos(CommandCall& call) {
  Search search;
  if (!read_search(call, search)) return;
  const List* list = nullptr;
  if (!find_typed(call, call.args[1], list)) return;
  if (list != nullptr) return reply_matches(call, *list, search);
  if (search.count < 0) return call.reply.nil();
  call.reply.array(0);
}

constexpr int grows = flag_write | flag_denyoom;

constexpr std::array table = {
    Command{"LINDEX", 3, flag_none, one_key, run_lindex},
    Command{"LLEN", 2, flag_none, one_key, run_llen},
    Command{"LPOS", -3, flag_none, one_key, run_lpos},
    Command{"LPUSH", -3, grows, one_key, run_lpush},
    Command{"LPUSHX", -3, grows, one_key, run_lpushx},
    Command{"LRANGE", 4, flag_none, one_key, run_lrange},
    Command{"RPUSH", -3, grows, one_key, run_rpush},
    Command{"RPUSHX", -3, grows, one_key, run_rpushx},
};

}  // namespace

std::span<const Command> list_commands() { return table; }

}  // namespace cohsim::valkey
